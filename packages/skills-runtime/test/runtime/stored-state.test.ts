import { memoryStorage } from '@minions/core/memory'
import { Store, type StoreAccess } from '@minions/core/storage'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { skillsCollections } from '../../src/index.js'
import type { SkillExecution } from '../../src/runtime/executions/execution-schema.js'
import { newSubagent } from '../../src/runtime/manager/spawn-input.js'
import { MemoryState } from '../../src/runtime/state/memory-state.js'
import type { AgentChange, Decide, RuntimeState } from '../../src/runtime/state/runtime-state.js'
import { StoredState } from '../../src/runtime/state/stored-state.js'

const AT = '2026-01-01T00:00:00.000Z'
const AGENT = 'agent'

function execution(id: string, status: SkillExecution['status'] = 'pending'): SkillExecution {
  return {
    execution_id: id,
    agent_id: AGENT,
    skill_name: 'skill',
    skill_version: '1.0.0',
    parameters: {},
    result: status === 'success' ? {} : null,
    error: null,
    status,
    started_at: AT,
    completed_at: status === 'pending' ? null : AT,
    duration_ms: null,
    retry_count: 0,
  }
}

const leaseOf = (token: string) => ({ agent_id: AGENT, token, expires_at: 1 })
const run = { agent_id: AGENT, steps: [], position: 0, execution_id: 'e0' }

function begin(token: string): AgentChange {
  const agent = { ...newSubagent({}, AGENT, AT), state: 'running' as const, started_at: AT }
  return { agent, lease: leaseOf(token), run, executions: [execution('e0')] }
}

/** What a process that holds the lease does, and is refused once it does not. */
const owned =
  (token: string, change: (count: number) => AgentChange, count: number): Decide =>
  (snapshot) => {
    if (snapshot.lease?.token !== token) throw new Error('lease lost')
    return { ...change(count), ...(snapshot.pause && { agent: { ...snapshot.agent, state: 'paused' }, pause: null }) }
  }

const ended = (state: 'completed' | 'failed'): Decide => {
  return ({ agent, pending }) => {
    if (agent.state === 'completed' || agent.state === 'failed') throw new Error('ended')
    const executions = pending.map((each) => execution(each.execution_id, 'success'))
    const forget = executions.map(({ execution_id }) => execution_id)
    return { agent: { ...agent, state }, executions, forget, lease: null, pause: null, run: null }
  }
}

type Operation = (typeof OPERATIONS)[number]
const OPERATIONS = ['checkpoint', 'execution', 'log', 'store', 'pause', 'take', 'cancel', 'end'] as const

/** Performs an operation, as process 0 or 1; two numbers never have the same lease. */
async function perform(state: RuntimeState, operation: Operation, process: number, count: number): Promise<unknown> {
  const token = `token-${process}`
  const own = (change: (count: number) => AgentChange, options = {}) =>
    state.update(AGENT, owned(token, change, count), options)
  const logs = [{ execution_id: 'e0', agent_id: AGENT, lines: [], dropped: 0, progress: null }]
  switch (operation) {
    case 'checkpoint':
      return own(() => ({ checkpoints: [{ execution_id: 'e0', agent_id: AGENT, state: count }] }))
    case 'execution':
      return own(() => ({ executions: [execution(`e${count}`)] }))
    case 'log':
      return own(() => ({ logs: logs as never }))
    case 'store':
      return state.store(AGENT)
    case 'pause':
      return state.update(AGENT, ({ agent }) => {
        if (agent.state !== 'running') throw new Error('not running')
        return { pause: { agent_id: AGENT } }
      })
    case 'take':
      return state.update(AGENT, ({ agent }) => {
        if (agent.state !== 'running' && agent.state !== 'paused') throw new Error('not resumable')
        return { agent: { ...agent, state: 'running' }, lease: leaseOf(token), pause: null }
      })
    case 'cancel':
      return state.update(AGENT, ended('failed'), { pending: true })
    case 'end':
      return state.update(
        AGENT,
        (snapshot) => {
          owned(token, () => ({}), count)(snapshot)
          return ended('completed')(snapshot)
        },
        { pending: true },
      )
  }
}

async function outcome(work: () => unknown): Promise<string> {
  try {
    await work()
    return 'done'
  } catch (error) {
    return (error as Error).message
  }
}

async function seen(state: RuntimeState) {
  const executions = await state.executions({ agent_id: AGENT })
  return {
    agent: await state.agent(AGENT),
    lease: await state.lease(AGENT),
    run: await state.run(AGENT),
    checkpoint: (await state.checkpoint('e0'))?.state,
    executions: executions.sort((a, b) => a.execution_id.localeCompare(b.execution_id)),
  }
}

async function open(): Promise<StoreAccess> {
  return Store.open(memoryStorage(), skillsCollections)
}

describe('the stored state', () => {
  test('is as the one in memory, whatever two processes do', async () => {
    const step = fc.record({ operation: fc.constantFrom(...OPERATIONS), process: fc.nat(1) })
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 15 }), async (isLater, steps) => {
        const store = await open()
        const processes = [new StoredState(store), new StoredState(store)]
        const model = new MemoryState()
        let told = 0
        const agent = newSubagent({}, AGENT, AT)
        model.insert(agent, begin('token-0'))
        await processes[0]?.insert(agent, begin('token-0'), isLater ? () => told++ : undefined)
        expect(await store.count(skillsCollections[1])).toBe(isLater ? 0 : 1)
        for (const [index, { operation, process }] of steps.entries()) {
          // What is not stored is not there for the other process.
          if (process === 1) await processes[0]?.store(AGENT)
          const real = processes[process] as StoredState
          expect(await outcome(() => perform(real, operation, process, index + 1))).toBe(
            await outcome(() => perform(model, operation, process, index + 1)),
          )
        }
        await processes[0]?.store(AGENT)
        expect(told).toBe(isLater ? 1 : 0)
        expect(await seen(new StoredState(store))).toEqual(await seen(model))
      }),
      { numRuns: 200 },
    )
  })

  test('refuses only by what is stored: another process may have taken over what is remembered here', async () => {
    const store = await open()
    const [first, second] = [new StoredState(store), new StoredState(store)]
    await first.insert(newSubagent({}, AGENT, AT), begin('token-0'))
    await perform(first, 'pause', 0, 1)
    await perform(first, 'checkpoint', 0, 2)
    expect((await first.agent(AGENT))?.state).toBe('paused')
    await perform(second, 'take', 1, 3)
    expect(await outcome(() => perform(first, 'pause', 0, 4))).toBe('done')
  })

  test('keeps every change of two processes at the same time, or refuses it', async () => {
    const step = fc.record({ operation: fc.constantFrom(...OPERATIONS), process: fc.nat(1) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const store = await open()
        const processes = [new StoredState(store), new StoredState(store)]
        await processes[0]?.insert(newSubagent({}, AGENT, AT), begin('token-0'))
        const outcomes = await Promise.all(
          steps.map(({ operation, process }, index) =>
            outcome(() => perform(processes[process] as StoredState, operation, process, index + 1)),
          ),
        )
        const { agent, lease, executions, checkpoint } = await seen(new StoredState(store))
        const isDone = (wanted: Operation) =>
          steps.some(({ operation }, index) => operation === wanted && outcomes[index] === 'done')
        const isEnded = isDone('cancel') || isDone('end')
        expect(agent?.state === 'completed' || agent?.state === 'failed').toBe(isEnded)
        if (!isEnded) {
          for (const [index, { operation }] of steps.entries()) {
            if (operation !== 'execution' || outcomes[index] !== 'done') continue
            expect(executions.map(({ execution_id }) => execution_id)).toContain(`e${index + 1}`)
          }
          return
        }
        expect(lease).toBeUndefined()
        expect(checkpoint).toBeUndefined()
        expect(executions.filter(({ status }) => status === 'pending')).toEqual([])
        const ends = steps.filter(({ operation }, index) => /cancel|end/.test(operation) && outcomes[index] === 'done')
        expect(ends).toHaveLength(1)
      }),
      { numRuns: 200 },
    )
  })
})
