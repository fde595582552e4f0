import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Node, NodeType, Rule, Workspace } from '../src/index.js'

function holds(condition: unknown, state: Record<string, unknown> = {}, types: NodeType[] = []): boolean {
  const ws = new Workspace({ name: 'w', state })
  for (const type of types) ws.addNode(new Node({ name: type, type }))
  ws.addRule(new Rule({ name: 'r', condition: condition as Record<string, unknown> }))
  const matched = ws.evaluateStateLogic().length === 1
  const [explanation] = ws.explain()
  expect(explanation?.matched).toBe(matched)
  expect(explanation?.reason).not.toBe('')
  return matched
}

describe('the four conditions', () => {
  it('always', () => {
    expect(holds({})).toBe(true)
    expect(holds({ type: 'always' })).toBe(true)
    expect(holds({ type: 'always', extra: 1 })).toBe(true)
  })

  it.each([
    ['high', 'high', true],
    ['high', 'low', false],
    [1, 1, true],
    [1, '1', false],
    [1, true, false],
    [null, null, true],
    [{ a: 1, b: [2, null] }, { b: [2, null], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{}, [], false],
  ])('state_equals compares %j and %j', (state, value, expected) => {
    expect(holds({ type: 'state_equals', key: 'k', value }, { k: state })).toBe(expected)
  })

  it('state_equals: a missing key equals nothing', () => {
    expect(holds({ type: 'state_equals', key: 'k', value: null })).toBe(false)
    expect(holds({ type: 'state_equals', key: 'k' })).toBe(false)
    expect(holds({ type: 'state_equals', key: 'k' }, { k: null })).toBe(false)
    expect(holds({ type: 'state_equals', value: null })).toBe(false)
    expect(holds({ type: 'state_equals', key: 'toString', value: Object.prototype.toString }, {})).toBe(false)
    expect(holds(JSON.parse('{"type":"state_equals","key":"__proto__","value":{}}'), {})).toBe(false)
  })

  it.each([
    ['>=', [false, true, true]],
    ['<=', [true, true, false]],
    ['==', [false, true, false]],
    ['>', [false, false, true]],
    ['<', [true, false, false]],
    [undefined, [false, true, true]],
    ['!=', [false, false, false]],
    ['toString', [false, false, false]],
    [null, [false, false, false]],
  ])('node_count %s', (operator, expected) => {
    const condition =
      operator === undefined ? { type: 'node_count', count: 2 } : { type: 'node_count', operator, count: 2 }
    expect([1, 2, 3].map((count) => holds(condition, {}, Array(count).fill('task')))).toEqual(expected)
  })

  it('node_count without a number matches nothing', () => {
    for (const count of [undefined, null, '0', true, Number.NaN, [0]]) {
      expect(holds({ type: 'node_count', operator: '>=', count })).toBe(false)
    }
  })

  it('node_type_exists', () => {
    expect(holds({ type: 'node_type_exists', node_type: 'agent' }, {}, ['task', 'agent'])).toBe(true)
    expect(holds({ type: 'node_type_exists', node_type: 'agent' }, {}, ['task'])).toBe(false)
    expect(holds({ type: 'node_type_exists' }, {}, ['task'])).toBe(false)
  })

  it('sees the type of a node change', () => {
    const ws = new Workspace({ name: 'w' })
    const node = new Node({ name: 'n', type: NodeType.TASK })
    ws.addNode(node)
    ws.addRule(new Rule({ name: 'r', condition: { type: 'node_type_exists', node_type: 'agent' } }))
    expect(ws.evaluateStateLogic()).toHaveLength(0)
    node.type = NodeType.AGENT
    expect(ws.evaluateStateLogic()).toHaveLength(1)
  })

  it('everything else is false, and never throws', () => {
    for (const condition of [
      { type: 'other' },
      { type: 'toString' },
      { type: null },
      { key: 'x' },
      { type: ['always'] },
    ]) {
      expect(holds(condition)).toBe(false)
    }
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'key', 'value', 'count', 'all', 'not'), fc.jsonValue()),
        (any) => {
          holds(any, { k: 1 })
        },
      ),
      { numRuns: 200, seed: 1 },
    )
  })
})

describe('conditions of our own', () => {
  const yes = { type: 'always' }
  const no = { type: 'never' }

  it.each([
    [{ type: 'all', conditions: [yes, {}] }, true],
    [{ type: 'all', conditions: [yes, no] }, false],
    [{ type: 'all', conditions: [] }, true],
    [{ type: 'any', conditions: [no, yes] }, true],
    [{ type: 'any', conditions: [] }, false],
    [{ type: 'not', condition: no }, true],
    [{ type: 'not', condition: yes }, false],
    [{ all: [yes, { any: [no, { not: no }] }] }, true],
    [{ type: 'all' }, false],
    [{ type: 'not' }, false],
    [{ not: 5 }, false],
    [{ type: 'any', conditions: 'x' }, false],
  ])('%j is %s', (condition, expected) => {
    expect(holds(condition)).toBe(expected)
  })

  it('does not follow conditions without end', () => {
    let deep: Record<string, unknown> = { type: 'always' }
    for (let level = 0; level < 5000; level++) deep = level % 2 ? { not: deep } : { all: [deep] }
    expect(holds(deep)).toBe(false)
    const circle: Record<string, unknown> = { type: 'all' }
    circle.conditions = [circle]
    expect(holds(circle)).toBe(false)
  })
})

it('explains every rule, disabled ones included', () => {
  const ws = new Workspace({ name: 'w', state: { load: 'high' } })
  ws.addRule(new Rule({ name: 'off', enabled: false }))
  ws.addRule(new Rule({ name: 'load', condition: { type: 'state_equals', key: 'load', value: 'low' } }))
  ws.addRule(new Rule({ name: 'count', condition: { type: 'node_count', count: 2 } }))
  expect(ws.explain().map(({ rule_name, matched, reason }) => [rule_name, matched, reason])).toEqual([
    ['off', false, 'the rule is disabled'],
    ['load', false, 'state "load" is "high", which differs from "low"'],
    ['count', false, 'the number of nodes, 0, is not >= 2'],
  ])
})
