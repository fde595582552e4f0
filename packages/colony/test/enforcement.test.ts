import { join } from 'node:path'
import { VirtualClock } from '@minions/skills-runtime/testing'
import { describe, expect, test, vi } from 'vitest'
import { deterministicRoles, missionCollections, type Roles } from '../src/index.ts'
import { createApp, envelope, folder } from './support/app.ts'
import { done, task, workersFor } from './support/graphs.ts'

const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

describe('the time budget', () => {
  test('aborts what runs, keeps what was made and says so', async () => {
    const virtual = new VirtualClock()
    const aborted = vi.fn()
    const worker: Roles['worker'] = async (input, context) => {
      if (input.task.task_id !== 'slow') return done(input, context)
      return never(context.signal).finally(aborted)
    }
    const tasks = [task('quick'), task('slow', ['quick']), task('last', ['slow'])]
    const app = await createApp({ roles: workersFor(tasks, worker), ...virtual.parts, skills: virtual.parts })
    const mission = envelope({ time_budget_ms: 1000 })
    const running = app.colony.run(mission)
    await virtual.advance(999)
    expect(await app.colony.forTenant(mission.tenant_id).status(mission.mission_id)).toMatchObject({
      status: 'running',
      completed: 1,
    })
    await virtual.advance(1)
    const result = await running
    expect(result).toMatchObject({ status: 'budget_exceeded', completed: 1 })
    expect(result.error).toContain('1000 ms')
    expect(result.artifacts.map(({ schema_name }) => schema_name)).toEqual(['mission_task_graph', 'worker_result'])
    expect(aborted).toHaveBeenCalledTimes(1)
    expect(result.tasks.map(({ status }) => status)).toEqual(['completed', 'cancelled', 'cancelled'])
    await app.close()
  })

  test('is used up for good, and told', async () => {
    const virtual = new VirtualClock()
    const roles = workersFor([task('slow')], (_, { signal }) => never(signal))
    const app = await createApp({ roles, ...virtual.parts, skills: virtual.parts })
    const mission = envelope({ time_budget_ms: 1000 })
    const running = app.colony.run(mission)
    await virtual.advance(1000)
    expect(await running).toMatchObject({ status: 'budget_exceeded', elapsed_ms: 1000 })
    const missions = app.colony.forTenant(mission.tenant_id)
    expect(await missions.status(mission.mission_id)).toMatchObject({ elapsed_ms: 1000 })
    const again = await missions.resume(mission.mission_id, { retryFailed: true })
    expect(again).toMatchObject({ status: 'budget_exceeded', elapsed_ms: 1000 })
    await app.close()
  })

  test('runs out also when the clock stands still', async () => {
    const roles = workersFor([task('slow')], (_, { signal }) => never(signal))
    const app = await createApp({ roles, clock: () => '2026-04-14T12:00:01.000Z' })
    expect(await app.colony.run(envelope({ time_budget_ms: 30 }))).toMatchObject({ status: 'budget_exceeded' })
    await app.close()
  })

  test('may be longer than a timer can wait', async () => {
    const worker: Roles['worker'] = async (input, context) => {
      await new Promise((resolve) => setTimeout(resolve, 10))
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor([task('a')], worker) })
    expect(await app.colony.run(envelope({ time_budget_ms: 2 ** 33 }))).toMatchObject({ status: 'completed' })
    await app.close()
  })

  test('also holds for a role that ignores its signal', async () => {
    const virtual = new VirtualClock()
    const roles = workersFor([task('deaf')], () => new Promise<never>(() => {}))
    const app = await createApp({ roles, ...virtual.parts, skills: virtual.parts })
    const running = app.colony.run(envelope({ time_budget_ms: 50 }))
    await virtual.advance(50)
    expect(await running).toMatchObject({ status: 'budget_exceeded', completed: 0 })
    await app.close()
  })
})

describe('the token budget', () => {
  const chain = ['a', 'b', 'c', 'd'].map((id, index, all) => task(id, index > 0 ? [all[index - 1] as string] : []))

  test('ends the mission with the answer that exceeds it, whose result is stored, and asks no more', async () => {
    const asked = vi.fn(async () => ({ value: 'yes', tokens: 40 }))
    const worker: Roles['worker'] = async (input, context) => {
      await context.ask({ task: input.task.task_id }, asked)
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor(chain, worker) })
    const mission = envelope({ token_budget: 100 })
    const result = await app.colony.run(mission)
    expect(result).toMatchObject({ status: 'budget_exceeded', completed: 3, tokens_used: 120 })
    expect(result.error).toContain('120 of its 100 tokens')
    expect(result.artifacts.map(({ output_text }) => output_text)).toEqual([undefined, 'a', 'b', 'c'])
    expect(result.tasks.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'cancelled'])
    const missions = app.colony.forTenant(mission.tenant_id)
    const again = await missions.resume(mission.mission_id, { retryFailed: true })
    expect(again).toMatchObject({ status: 'budget_exceeded', completed: 3, tokens_used: 120 })
    expect(asked).toHaveBeenCalledTimes(3)
    expect(await missions.replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })

  test('counts what was spent otherwise, and stores the result of that too', async () => {
    const spend = (times: number): Roles['worker'] => {
      return async (input, context) => {
        for (let count = 0; count < times; count++) await context.spend(100)
        return done(input, context)
      }
    }
    const once = await createApp({ roles: workersFor(chain, spend(1)) })
    expect(await once.colony.run(envelope({ token_budget: 100 }))).toMatchObject({ completed: 2, tokens_used: 200 })
    // One that goes on spending after it could know better is stopped.
    const often = await createApp({ roles: workersFor(chain, spend(9)) })
    expect(await often.colony.run(envelope({ token_budget: 100 }))).toMatchObject({ completed: 0, tokens_used: 300 })
    await once.close()
    await often.close()
  })

  test('stores every answer that was under way when it ran out, and starts nothing more', async () => {
    const gates = new Map<string, (tokens: number) => void>()
    const worker: Roles['worker'] = async (input, context) => {
      const { task_id } = input.task
      await context.ask({ task_id }, async () => {
        const tokens = await new Promise<number>((resolve) => gates.set(task_id, resolve))
        return { value: task_id, tokens }
      })
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor([task('a'), task('b'), task('c', ['a']), task('d')], worker) })
    const mission = envelope({ token_budget: 10 })
    const running = app.colony.run(mission, { concurrency: 2 })
    await vi.waitFor(() => expect(gates.size).toBe(2), 30_000)
    gates.get('a')?.(11)
    const missions = app.colony.forTenant(mission.tenant_id)
    await vi.waitFor(async () => expect((await missions.status(mission.mission_id)).completed).toBe(1), 30_000)
    gates.get('b')?.(5)
    const result = await running
    expect(result).toMatchObject({ status: 'budget_exceeded', completed: 2, tokens_used: 16 })
    expect([...gates.keys()]).toEqual(['a', 'b'])
    await app.close()
  })

  test('keeps a plan that it was just enough for, and never pays for it again', async () => {
    const asked = vi.fn(async () => ({ value: 'plan', tokens: 11 }))
    const planner: Roles['planner'] = async (_, context) => {
      await context.ask('plan', asked)
      return { tasks: [task('a')] }
    }
    const app = await createApp({ roles: { planner, worker: done } })
    const mission = envelope({ token_budget: 10 })
    expect(await app.colony.run(mission)).toMatchObject({ status: 'budget_exceeded', total: 1, completed: 0 })
    const missions = app.colony.forTenant(mission.tenant_id)
    const again = await missions.resume(mission.mission_id, { retryFailed: true })
    expect(again).toMatchObject({ status: 'budget_exceeded', tokens_used: 11 })
    expect(asked).toHaveBeenCalledTimes(1)
    await app.close()
  })

  test('is told of after a restart too, with the result of what was paid for before', async () => {
    const storage = `sqlite:${join(folder, 'paid.db')}`
    const asked = vi.fn(async () => ({ value: 'yes', tokens: 11 }))
    const worker =
      (next: (signal: AbortSignal) => Promise<void>): Roles['worker'] =>
      async (input, context) => {
        await context.ask('x', asked)
        await next(context.signal)
        return done(input, context)
      }
    let tell = () => {}
    const paid = new Promise<void>((resolve) => {
      tell = resolve
    })
    const waiting = worker((signal) => {
      tell()
      return never(signal)
    })
    const first = await createApp({ storage, roles: workersFor([task('a')], waiting), skills: { shutdownMs: 0 } })
    const mission = envelope({ token_budget: 10 })
    const interrupted = expect(first.colony.run(mission)).rejects.toMatchObject({ code: 'MISSION_INTERRUPTED' })
    await paid
    await first.close()
    await interrupted
    const roles = workersFor(
      [task('a')],
      worker(async () => {}),
    )
    const second = await createApp({ storage, roles })
    const resumed = await second.colony.forTenant(mission.tenant_id).resume(mission.mission_id)
    expect(resumed).toMatchObject({ status: 'budget_exceeded', completed: 1, tokens_used: 11 })
    expect(asked).toHaveBeenCalledTimes(1)
    await second.close()
  })

  test('lets nobody wait for long: a mission that is about to end can be cancelled, and keeps its lease until then', async () => {
    const virtual = new VirtualClock()
    const worker: Roles['worker'] = async (input, context) => {
      if (input.task.task_id === 'slow') return never(context.signal)
      await context.ask('x', async () => ({ value: 1, tokens: 11 }))
      return done(input, context)
    }
    const roles = workersFor([task('quick'), task('slow')], worker)
    const app = await createApp({ roles, ...virtual.parts, skills: virtual.parts })
    const mission = envelope({ token_budget: 10 })
    const missions = app.colony.forTenant(mission.tenant_id)
    const running = app.colony.run(mission)
    await virtual.advance(60_000)
    const lease = await app.storage.get(missionCollections[1], mission.mission_id)
    expect(lease?.expires_at).toBeGreaterThan(virtual.now)
    await missions.cancel(mission.mission_id)
    expect(await running).toMatchObject({ status: 'budget_exceeded', completed: 1 })
    await app.close()
  })
})

describe('the policy gate', () => {
  test('stands before every tool call', async () => {
    const roles = deterministicRoles()
    const denied: string[] = []
    const worker: Roles['worker'] = async (input, context) => {
      await context.tool('external_search', { query: 'x' }).catch((error) => denied.push(error.code))
      return roles.worker(input, context)
    }
    const app = await createApp({ roles: { ...roles, worker } })
    const mission = envelope()
    expect(await app.colony.run(mission)).toMatchObject({ status: 'completed' })
    expect(denied).toEqual(['POLICY_DENIED', 'POLICY_DENIED', 'POLICY_DENIED', 'POLICY_DENIED'])
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    const { items } = await app.contracts.store
      .forTenant(mission.tenant_id)
      .list('policy_decision', { missionId: mission.mission_id })
    expect(items.filter(({ decision }) => decision === 'deny')).toHaveLength(4)
    await app.close()
  })

  test('keeps the tools of a sensitivity class', async () => {
    const policy = { toolsBySensitivity: { internal_business: ['crm_search', 'local_property_rag'] } }
    const app = await createApp({ contracts: { policy } })
    const result = await app.colony.run(envelope())
    const research = result.tasks.find(({ role_type }) => role_type === 'researcher')
    expect(research).toMatchObject({ status: 'failed' })
    expect(research?.error).toContain('internal_business')
    expect(result.status).toBe('failed')
    await app.close()
  })

  test('stores no pass that expired before it was made', async () => {
    const roles = deterministicRoles()
    const librarian: Roles['librarian'] = async (input, context) =>
      (await roles.librarian(input, context)).map((pass) => ({ ...pass, expires_at: '2020-01-01T00:00:00Z' }))
    const app = await createApp({ roles: { ...roles, librarian } })
    const result = await app.colony.run(envelope())
    expect(result.tasks.find(({ role_type }) => role_type === 'librarian')?.error).toContain(
      '/0/expires_at must be after',
    )
    await app.close()
  })

  test('lets nobody work on an expired pass', async () => {
    const virtual = new VirtualClock()
    const roles = deterministicRoles()
    const worker: Roles['worker'] = async (input, context) => {
      await virtual.sleep(2 * 60 * 60 * 1000)
      return roles.worker(input, context)
    }
    const app = await createApp({ roles: { ...roles, worker }, ...virtual.parts, skills: { clock: virtual.clock } })
    const mission = envelope({ context_refs: { lead_ids: ['lead_123'] } })
    const result = await virtual.until(app.colony.run(mission))
    expect(result.status).toBe('failed')
    expect(result.tasks.find(({ role_type }) => role_type === 'worker')?.error).toContain('expired')
    await app.close()
  })
})
