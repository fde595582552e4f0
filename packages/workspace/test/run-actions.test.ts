import { describe, expect, it } from 'vitest'
import { Rule, RulePriority, Workspace } from '../src/index.js'

const rule = (name: string, priority: RulePriority, condition = {}, type = 'note') =>
  new Rule({ name, priority, condition, action: { type, name } })

describe('runActions', () => {
  it('calls handlers in the order of priority', async () => {
    const ws = new Workspace({ name: 'w' })
    ws.addRule(rule('low', RulePriority.LOW))
    ws.addRule(rule('critical', RulePriority.CRITICAL))
    ws.addRule(rule('no handler', RulePriority.HIGH, {}, 'toString'))
    const calls: unknown[] = []
    const report = await ws.runActions({
      note: async (action, match, workspace) => {
        expect(workspace).toBe(ws)
        calls.push([action.name, match.priority])
        return calls.length
      },
    })
    expect(calls).toEqual([
      ['critical', 4],
      ['low', 1],
    ])
    expect(report.map(({ rule_name, status, result }) => [rule_name, status, result])).toEqual([
      ['critical', 'done', 1],
      ['no handler', 'unhandled', undefined],
      ['low', 'done', 2],
    ])
  })

  it('calls nothing in a dry run', async () => {
    const ws = new Workspace({ name: 'w' })
    ws.addRule(rule('r', RulePriority.LOW))
    const report = await ws.runActions({ note: () => expect.unreachable() }, { dryRun: true })
    expect(report).toMatchObject([{ rule_name: 'r', status: 'planned' }])
  })

  it('judges conditions anew after each action, and runs each rule once', async () => {
    const ws = new Workspace({ name: 'w', state: { step: 0 } })
    const at = (value: number) => ({ type: 'state_equals', key: 'step', value })
    ws.addRule(rule('second', RulePriority.CRITICAL, at(1)))
    ws.addRule(rule('first', RulePriority.LOW, at(0)))
    ws.addRule(rule('back', RulePriority.LOW, at(2)))
    const calls: unknown[] = []
    await ws.runActions({
      note: (action) => {
        calls.push(action.name)
        ws.state.step = ((ws.state.step as number) + 1) % 3
      },
    })
    expect(calls).toEqual(['first', 'second', 'back'])
  })

  it('stops handlers that go on for ever', async () => {
    const ws = new Workspace({ name: 'w' })
    ws.addRule(rule('r', RulePriority.LOW))
    const breed = { note: () => ws.addRule(rule('another', RulePriority.LOW)) }
    await expect(ws.runActions(breed, { maxActions: 50 })).rejects.toMatchObject({ code: 'ACTION_LOOP' })

    const recursive = new Workspace({ name: 'w' })
    recursive.addRule(rule('r', RulePriority.LOW))
    let depth = 0
    const handlers = {
      note: (): Promise<unknown> => {
        depth++
        return recursive.runActions(handlers)
      },
    }
    await expect(recursive.runActions(handlers)).rejects.toMatchObject({ code: 'ACTION_FAILED' })
    expect(depth).toBeLessThan(20)
  })

  it('lets many runs go on at once', async () => {
    const ws = new Workspace({ name: 'w' })
    ws.addRule(rule('r', RulePriority.LOW))
    const runs = Array.from({ length: 50 }, () =>
      ws.runActions({ note: () => new Promise((done) => setImmediate(done)) }),
    )
    await expect(Promise.all(runs)).resolves.toHaveLength(50)
  })

  it('reports a handler that throws, and what ran before it', async () => {
    const ws = new Workspace({ name: 'w' })
    const good = rule('good', RulePriority.HIGH, {}, 'good')
    ws.addRule(good)
    ws.addRule(rule('bad', RulePriority.LOW))
    const cause = new Error('boom')
    const run = ws.runActions({
      good: () => 1,
      note: () => {
        throw cause
      },
    })
    await expect(run).rejects.toMatchObject({ code: 'ACTION_FAILED', cause, details: { completed: [good.id] } })
  })
})
