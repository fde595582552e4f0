import { VirtualClock } from '@minions/skills-runtime/testing'
import { describe, expect, test, vi } from 'vitest'
import { deterministicRoles, type Roles } from '../src/index.ts'
import { createApp, envelope } from './support/app.ts'
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
  test('ends the mission with the answer that exceeds it, and asks no more', async () => {
    const asked = vi.fn(async () => ({ value: 'yes', tokens: 40 }))
    const worker: Roles['worker'] = async (input, context) => {
      await context.ask({ task: input.task.task_id }, asked)
      return done(input, context)
    }
    const tasks = ['a', 'b', 'c', 'd'].map((id, index, all) => task(id, index > 0 ? [all[index - 1] as string] : []))
    const app = await createApp({ roles: workersFor(tasks, worker) })
    const result = await app.colony.run(envelope({ token_budget: 100 }))
    expect(result).toMatchObject({ status: 'budget_exceeded', completed: 2, tokens_used: 120 })
    expect(asked).toHaveBeenCalledTimes(3)
    const spent = await createApp({
      roles: workersFor(tasks, async (input, context) => {
        await context.spend(100)
        return done(input, context)
      }),
    })
    expect(await spent.colony.run(envelope({ token_budget: 100 }))).toMatchObject({ completed: 1, tokens_used: 200 })
    await app.close()
    await spent.close()
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
