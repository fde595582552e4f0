import { describe, expect, it } from 'vitest'
import { planQuery } from '../../src/storage/plan-query.js'
import type { CollectionQuery, Where } from '../../src/storage/query.js'
import { plain, things } from './declarations.js'

const plan = (query: CollectionQuery, collection = things) => planQuery(collection, query)

describe('planQuery', () => {
  it('fills in the defaults', () => {
    expect(plan({})).toEqual({
      words: [],
      order: [{ operand: { path: ['createdAt'], column: 4 }, direction: 'asc' }],
      keyDirection: 'asc',
      limit: 100,
    })
    expect(plan({}, plain)).toEqual({ words: [], order: [], keyDirection: 'asc', limit: 100 })
  })

  it('finds columns and the key by their path', () => {
    const operandOf = (field: string) => plan({ orderBy: [{ field }] }).order[0]?.operand
    expect(operandOf('rank')).toEqual({ path: ['rank'], column: 1 })
    expect(operandOf('place.city')).toEqual({ path: ['place', 'city'], column: 3 })
    expect(operandOf('city')).toEqual({ path: ['city'] })
    expect(operandOf('place\\.city')).toEqual({ path: ['place.city'] })
    expect(operandOf('id')).toEqual({ path: ['id'], key: true })
    expect(operandOf('other')).toEqual({ path: ['other'] })
  })

  it('lets the key follow the last direction', () => {
    const orderBy = [{ field: 'rank' }, { field: 'name', direction: 'desc' as const }]
    expect(plan({ orderBy }).keyDirection).toBe('desc')
  })

  it('turns short forms into conditions', () => {
    const operand = { path: ['rank'], column: 1 }
    expect(plan({ where: { rank: 1 } }).where).toEqual({ op: 'eq', operand, value: 1 })
    expect(plan({ where: { rank: null } }).where).toEqual({ op: 'isNull', operand })
    expect(plan({ where: { rank: { ne: null } } }).where).toEqual({ op: 'not', condition: { op: 'isNull', operand } })
    expect(plan({ where: { rank: { isNull: false } } }).where).toEqual({
      op: 'not',
      condition: { op: 'isNull', operand },
    })
    expect(plan({ where: { rank: { gt: 1, lte: 5 } } }).where).toEqual({
      op: 'and',
      conditions: [
        { op: 'gt', operand, value: 1 },
        { op: 'lte', operand, value: 5 },
      ],
    })
    expect(plan({ where: { rank: undefined } }).where).toEqual({ op: 'and', conditions: [] })
    expect(plan({ where: { '\\and': 1 } }).where).toEqual({ op: 'eq', operand: { path: ['and'] }, value: 1 })
    expect(plan({ where: { rank: -0 } }).where).toMatchObject({ value: 0 })
  })

  it('splits a mixed list by type', () => {
    const operand = { path: ['any'] }
    expect(plan({ where: { any: { in: [1, 'a', 2, null, 1] } } }).where).toEqual({
      op: 'or',
      conditions: [
        { op: 'in', operand, values: [1, 2] },
        { op: 'in', operand, values: ['a'] },
        { op: 'isNull', operand },
      ],
    })
    expect(plan({ where: { any: { in: [] } } }).where).toEqual({ op: 'or', conditions: [] })
    expect(plan({ where: { any: { in: ['a'] } } }).where).toEqual({ op: 'in', operand, values: ['a'] })
  })

  it('folds the text to words', () => {
    expect(plan({ text: 'Größe, ÉTÉ größe' }).words).toEqual(['große', 'ete'])
  })

  const refused: [string, object][] = [
    ['an unknown operator', { where: { rank: { like: 1 } } }],
    ['an operator that is inherited', { where: { rank: { toString: 1 } } }],
    ['an order with null', { where: { rank: { gt: null } } }],
    ['a list as a value', { where: { rank: [1] } }],
    ['an object as a value', { where: { rank: { eq: {} } } }],
    ['nothing to compare with', { where: { rank: {} } }],
    ['NaN', { where: { rank: Number.NaN } }],
    ['a lone surrogate', { where: { name: '\ud800' } }],
    ['U+0000 in a path', { where: { 'a\0': 1 } }],
    ['a bigint', { where: { rank: 1n } }],
    ['`in` without a list', { where: { rank: { in: 1 } } }],
    ['a list in `in`', { where: { rank: { in: [[]] } } }],
    ['`isNull` without a boolean', { where: { rank: { isNull: 1 } } }],
    ['`and` without a list', { where: { and: {} } }],
    ['`not` without a condition', { where: { not: 1 } }],
    ['a condition that is none', { where: 'rank = 1' }],
    ['a list as a condition', { where: [] }],
    ['too deep a path', { where: { [Array(65).fill('a').join('.')]: 1 } }],
    ['an order that is no list', { orderBy: 'rank' }],
    ['an order without a field', { orderBy: [{}] }],
    ['a direction that is none', { orderBy: [{ field: 'rank', direction: 'up' }] }],
    ['an order by a list column', { orderBy: [{ field: 'labels' }] }],
    ['nine orders', { orderBy: Array(9).fill({ field: 'rank' }) }],
    ['a limit of zero', { limit: 0 }],
    ['half a limit', { limit: 1.5 }],
    ['too high a limit', { limit: 100_001 }],
    ['a limit as text', { limit: '5' }],
    ['text that is none', { text: 5 }],
  ]
  it.each(refused)('refuses %s', (_, query) => {
    expect(() => plan(query as CollectionQuery)).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
  })

  it('refuses conditions nested too deep', () => {
    let where: Where = { rank: 1 }
    for (let level = 0; level < 32; level++) where = { not: where }
    expect(() => plan({ where })).not.toThrow()
    expect(() => plan({ where: { not: where } })).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
  })

  it('refuses to search a collection without text', () => {
    expect(() => plan({ text: 'x' }, plain)).toThrow(expect.objectContaining({ code: 'INVALID_QUERY' }))
  })
})
