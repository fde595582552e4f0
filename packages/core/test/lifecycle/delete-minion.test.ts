import { describe, expect, it } from 'vitest'
import {
  createMinion,
  hardDelete,
  isDeleted,
  RelationGraph,
  restoreMinion,
  softDelete,
  updateMinion,
} from '../../src/index.js'
import { agentType } from '../../src/types/index.js'
import { clockAt, deepFreeze, T0, T1, T2 } from './support.js'

const agent = deepFreeze(createMinion({ title: 'Ada' }, agentType, { clock: clockAt(T0) }).minion)

describe('softDelete', () => {
  it('sets deletedAt, deletedBy and, by decision 1.17, updatedAt', () => {
    expect(softDelete(agent, 'eve', { clock: clockAt(T1) })).toEqual({
      ...agent,
      deletedAt: T1,
      deletedBy: 'eve',
      updatedAt: T1,
    })
  })

  it('leaves deletedBy alone when the deleter is not known', () => {
    expect(Object.hasOwn(softDelete(agent), 'deletedBy')).toBe(false)
  })

  it('decision 1.17: deleting twice changes nothing', () => {
    const deleted = deepFreeze(softDelete(agent, 'eve', { clock: clockAt(T1) }))
    expect(softDelete(deleted, 'bob', { clock: clockAt(T2) })).toEqual(deleted)
  })

  it('decision 1.27: takes the deleter from `by` too', () => {
    expect(softDelete(agent, undefined, { by: 'eve' }).deletedBy).toBe('eve')
  })

  it('keeps attributes that it does not know, such as those of a later version', () => {
    const later = { ...agent, mood: 'good' }
    const deleted = softDelete(later, 'eve', { clock: clockAt(T1) })
    expect(deleted).toEqual({ ...later, deletedAt: T1, deletedBy: 'eve', updatedAt: T1 })
    expect(Object.keys(deleted)).toEqual(Object.keys(deleted).sort())
    const restored = restoreMinion(deleted, { clock: clockAt(T2) })
    expect(restored).toMatchObject({ mood: 'good' })
  })

  it('refuses a deleter that cannot be stored', () => {
    expect(() => softDelete(agent, 'a\0b')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    expect(() => softDelete(agent, 42 as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })
})

describe('restoreMinion', () => {
  const deleted = deepFreeze(softDelete(agent, 'eve', { clock: clockAt(T1) }))

  it('sets deletedAt and deletedBy to null and, by decision 1.17, updatedAt', () => {
    expect(restoreMinion(deleted, { clock: clockAt(T2), by: 'bob' })).toEqual({
      ...agent,
      deletedAt: null,
      deletedBy: null,
      updatedAt: T2,
      updatedBy: 'bob',
    })
  })

  it('returns a minion that is not deleted as it is', () => {
    expect(restoreMinion(agent)).toBe(agent)
  })
})

describe('hardDelete', () => {
  it('conformance 10: removes all relations of the minion, and no others', () => {
    const graph = new RelationGraph()
    graph.add({ sourceId: agent.id, targetId: 'b', type: 'parent_of' })
    graph.add({ sourceId: 'c', targetId: agent.id, type: 'depends_on' })
    graph.add({ sourceId: agent.id, targetId: agent.id, type: 'relates_to' })
    const other = graph.add({ sourceId: 'b', targetId: 'c', type: 'follows' })
    expect(hardDelete(agent, graph)).toBe(3)
    expect(graph.list()).toEqual([other])
    expect(hardDelete(agent, graph)).toBe(0)
  })
})

it('conformance 4: complete lifecycle', () => {
  const graph = new RelationGraph()
  const { minion: created } = createMinion({ title: 'Ada', fields: { role: 'poet' } }, agentType, {
    clock: clockAt(T0),
  })
  graph.add({ sourceId: created.id, targetId: 'x', type: 'references' })
  const { minion: updated } = updateMinion(created, { fields: { role: 'engineer' } }, agentType, { clock: clockAt(T1) })
  expect(updated).toMatchObject({ fields: { role: 'engineer' }, createdAt: T0, updatedAt: T1 })
  const deleted = softDelete(updated, 'eve', { clock: clockAt(T2) })
  expect(isDeleted(deleted)).toBe(true)
  expect(graph.list()).toHaveLength(1)
  const restored = restoreMinion(deleted, { clock: clockAt(T2) })
  expect(isDeleted(restored)).toBe(false)
  expect(updateMinion(restored, { title: 'Ada L.' }, agentType).validation.valid).toBe(true)
  hardDelete(restored, graph)
  expect(graph.list()).toEqual([])
})
