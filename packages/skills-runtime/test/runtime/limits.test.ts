import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Scheduler } from '../../src/runtime/scheduler/scheduler.js'
import { scriptedSkill, settle } from '../../src/testing/index.js'
import { backends } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

describe.each(backends)('limits on $name', (backend) => {
  it('queue runs and let them in first come first served', async () => {
    const order: string[] = []
    const gates = Array.from({ length: 4 }, deferred)
    const skill = scriptedSkill('skill', [
      [
        {
          wait: async (context) => {
            order.push(context.agentId)
            await gates[order.length - 1]?.promise
          },
        },
        { return: {} },
      ],
    ])
    const { manager } = await setUp(backend, [skill], { limits: { agents: 1 } })
    const ids = await Promise.all(gates.map(async () => (await manager.spawn()).agent_id))
    const runs = ids.map((id) => manager.run(id, 'skill'))
    await settle()
    expect(await manager.stats()).toMatchObject({ running: 1, queued: 3, agents: { running: 1, idle: 3 } })
    for (const gate of gates) {
      gate.resolve()
      await settle()
    }
    await Promise.all(runs)
    expect(order).toEqual(ids)
    expect(await manager.stats()).toMatchObject({ running: 0, queued: 0, agents: { completed: 4 } })
  })

  it('refuse runs when they are told to, or when the queue is full, and leave the subagent idle', async () => {
    const skill = scriptedSkill('skill', [{ hang: true }], { timeout: 3600 })
    for (const [limits, code] of [
      [{ agents: 1, whenFull: 'reject' }, 'LIMIT_REACHED'],
      [{ agents: 1, queue: 0 }, 'QUEUE_FULL'],
    ] as const) {
      const { manager } = await setUp(backend, [skill], { limits })
      const [first, second] = [await manager.spawn(), await manager.spawn()]
      manager.run(first.agent_id, 'skill').catch(() => undefined)
      await settle()
      await expect(manager.run(second.agent_id, 'skill')).rejects.toMatchObject(coded(code))
      expect(await manager.get(second.agent_id)).toMatchObject({ state: 'idle' })
      await manager.cancel(first.agent_id)
      manager.run(second.agent_id, 'skill').catch(() => undefined)
      await settle()
      expect(await manager.get(second.agent_id)).toMatchObject({ state: 'running' })
    }
  })

  it('hold for one skill without holding up the others', async () => {
    const limited = scriptedSkill('limited', [{ hang: true }], { timeout: 3600 })
    const free = scriptedSkill('free')
    const { manager } = await setUp(backend, [limited, free], { limits: { agents: 3, skills: { limited: 1 } } })
    const [one, two, three] = [await manager.spawn(), await manager.spawn(), await manager.spawn()]
    manager.run(one.agent_id, 'limited').catch(() => undefined)
    manager.run(two.agent_id, 'limited').catch(() => undefined)
    await settle()
    expect(await manager.run(three.agent_id, 'free')).toEqual({})
    expect(await manager.list({ state: 'running' })).toMatchObject([{ agent_id: one.agent_id }])
    await manager.cancel(one.agent_id)
    await settle()
    expect(await manager.list({ state: 'running' })).toMatchObject([{ agent_id: two.agent_id }])
  })

  it('are given back while a subagent is paused, and taken again', async () => {
    const gate = deferred()
    const stepwise = scriptedSkill('stepwise', [[{ wait: () => gate.promise }, { checkpoint: 1 }, { return: {} }]])
    const blocking = scriptedSkill('blocking', [{ hang: true }], { timeout: 3600 })
    const { manager } = await setUp(backend, [stepwise, blocking], { limits: { agents: 1 } })
    const [one, two] = [await manager.spawn(), await manager.spawn()]
    const first = manager.run(one.agent_id, 'stepwise')
    const second = manager.run(two.agent_id, 'blocking')
    second.catch(() => undefined)
    await settle()
    await manager.pause(one.agent_id)
    gate.resolve()
    await settle()
    expect(await manager.get(one.agent_id)).toMatchObject({ state: 'paused' })
    expect(await manager.get(two.agent_id)).toMatchObject({ state: 'running' })
    await manager.resume(one.agent_id)
    await settle()
    expect(await manager.get(one.agent_id)).toMatchObject({ state: 'running' })
    await manager.cancel(two.agent_id)
    expect(await first).toEqual({})
    expect(await manager.stats()).toMatchObject({ running: 0, queued: 0 })
  })
})

describe('the scheduler', () => {
  it('never exceeds a limit, lets everybody in, and keeps the order within a skill', async () => {
    const requests = fc.array(fc.record({ skill: fc.constantFrom('a', 'b', 'c'), gone: fc.boolean() }), {
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat()),
        async (all, agents, picks) => {
          const scheduler = new Scheduler({ agents, skills: { a: 1, b: 2 } })
          const running: { index: number; skill: string }[] = []
          const admitted: Record<string, number[]> = { a: [], b: [], c: [] }
          let gone = 0
          for (const [index, { skill, gone: leaves }] of all.entries()) {
            const controller = new AbortController()
            const enter = () => {
              running.push({ index, skill })
              admitted[skill]?.push(index)
            }
            const waiting = scheduler.acquire({ agent: true, skill, isNew: true }, controller)
            if (waiting === undefined) enter()
            else {
              waiting.then(enter, () => gone++)
              if (leaves) controller.abort(new Error('gone'))
            }
            await Promise.resolve()
          }
          for (;;) {
            await settleMicrotasks()
            expect(running.length).toBeLessThanOrEqual(agents)
            expect(running.filter(({ skill }) => skill === 'a').length).toBeLessThanOrEqual(1)
            expect(running.filter(({ skill }) => skill === 'b').length).toBeLessThanOrEqual(2)
            expect(scheduler.running).toBe(running.length)
            if (running.length === 0) break
            const [done] = running.splice((picks.next().value as number) % running.length, 1)
            scheduler.release({ agent: true, skill: done?.skill as string })
          }
          expect(scheduler.queued).toBe(0)
          const entered = Object.values(admitted)
          expect(entered.flat().length + gone).toBe(all.length)
          for (const indexes of entered) expect(indexes).toEqual([...indexes].sort((x, y) => x - y))
        },
      ),
      { numRuns: 60, seed: 3 },
    )
  })
})

async function settleMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve()
}
