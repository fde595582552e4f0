import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exampleMission, type MissionProgress, type Roles } from '../src/index.ts'
import { createApp, envelope, folder } from './support/app.ts'
import { done, task, workersFor } from './support/graphs.ts'

const { tenant_id } = exampleMission.envelope

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('watching', () => {
  test('gives every change until the end', async () => {
    const { open, opened } = gate()
    const worker: Roles['worker'] = async (input, context) => {
      if (input.task.task_id === 'a') await opened
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor([task('a'), task('b', ['a'])], worker) })
    const mission = envelope()
    const running = app.colony.run(mission)
    const seen: MissionProgress[] = []
    const watching = (async () => {
      for await (const progress of app.colony.forTenant(tenant_id).watch(mission.mission_id)) {
        seen.push(progress)
        open()
      }
    })()
    await Promise.all([running, watching])
    expect(seen.at(0)?.status).toBe('running')
    expect(seen.at(-1)).toMatchObject({ status: 'completed', completed: 2, total: 2 })
    expect(seen.some(({ tasks }) => tasks.some(({ status }) => status === 'running'))).toBe(true)
    const after = []
    for await (const progress of app.colony.forTenant(tenant_id).watch(mission.mission_id)) after.push(progress.status)
    expect(after).toEqual(['completed'])
    await app.close()
  })

  test('can be broken off while the next change is awaited', async () => {
    const app = await createApp({ roles: workersFor([task('a')], (_, { signal }) => untilAborted(signal)) })
    const mission = envelope()
    const running = app.colony.run(mission)
    const missions = app.colony.forTenant(tenant_id)
    const watching = missions.watch(mission.mission_id)
    let progress = (await watching.next()).value as MissionProgress
    while (progress.tasks[0]?.status !== 'running') progress = (await watching.next()).value
    const pending = watching.next()
    expect(await watching.return?.()).toMatchObject({ done: true })
    expect(await pending).toMatchObject({ done: true })
    await missions.cancel(mission.mission_id)
    expect(await running).toMatchObject({ status: 'cancelled' })
    await app.close()
  })
})

describe('two apps on one store', () => {
  test('run a mission once, and both tell how it ended', async () => {
    const storage = `sqlite:${join(folder, 'two.db')}`
    const { open, opened } = gate()
    const begun: string[] = []
    const roles = workersFor([task('a'), task('b', ['a'])], async (input, context) => {
      begun.push(input.task.task_id)
      await opened
      return done(input, context)
    })
    const skills = { leaseMs: 300 }
    const first = await createApp({ storage, roles, skills })
    const second = await createApp({ storage, roles, skills })
    const mission = envelope()
    const running = first.colony.run(mission)
    const others = second.colony.forTenant(tenant_id)
    for await (const { tasks } of first.colony.forTenant(tenant_id).watch(mission.mission_id)) {
      if (tasks[0]?.status === 'running') break
    }
    while ((await others.status(mission.mission_id)).tasks[0]?.status !== 'running') await new Promise(setImmediate)
    expect(await others.status(mission.mission_id)).toMatchObject({ status: 'running', active: true })
    const resuming = others.resume(mission.mission_id)
    setTimeout(open, 500)
    const [ran, resumed] = await Promise.all([running, resuming])
    expect(ran).toMatchObject({ status: 'completed', completed: 2 })
    expect(resumed.artifacts).toEqual(ran.artifacts)
    expect(begun).toEqual(['a', 'b'])
    await first.close()
    await second.close()
  })

  test('the second goes on at once when the first is closed, with the time that was used', async () => {
    const storage = `sqlite:${join(folder, 'handed-over.db')}`
    const roles = workersFor([task('a')], (_, { signal }) => untilAborted(signal))
    const first = await createApp({ storage, roles, skills: { shutdownMs: 0, leaseMs: 60_000 } })
    const second = await createApp({ storage, roles: workersFor([task('a')]), skills: { leaseMs: 60_000 } })
    const mission = envelope()
    const running = first.colony.run(mission)
    const interrupted = expect(running).rejects.toMatchObject({ code: 'MISSION_INTERRUPTED' })
    const missions = first.colony.forTenant(tenant_id)
    for await (const { tasks } of missions.watch(mission.mission_id)) if (tasks[0]?.status === 'running') break
    await new Promise((resolve) => setTimeout(resolve, 20))
    await first.close()
    await interrupted
    const result = await second.colony.forTenant(tenant_id).resume(mission.mission_id)
    expect(result).toMatchObject({ status: 'completed', completed: 1 })
    expect(result.elapsed_ms).toBeGreaterThanOrEqual(20)
    await second.close()
  })

  test('one that closes slowly does not take back the mission that it has given up', async () => {
    const storage = `sqlite:${join(folder, 'given-up.db')}`
    // The lease is renewed while the app waits for a task that does not end.
    const roles = workersFor([task('a')], () => new Promise<never>(() => undefined))
    const first = await createApp({ storage, roles, skills: { shutdownMs: 900, leaseMs: 1200 } })
    const second = await createApp({ storage, roles })
    const mission = envelope()
    const running = first.colony.run(mission)
    const interrupted = expect(running).rejects.toMatchObject({ code: 'MISSION_INTERRUPTED' })
    const missions = first.colony.forTenant(tenant_id)
    for await (const { tasks } of missions.watch(mission.mission_id)) if (tasks[0]?.status === 'running') break
    await first.close()
    await interrupted
    const status = await second.colony.forTenant(tenant_id).status(mission.mission_id)
    expect(status).toMatchObject({ status: 'running', active: false })
    await second.close()
  })
})

describe('cancelling', () => {
  test('reaches a mission that is just being begun', async () => {
    const app = await createApp({ roles: workersFor([task('a')], (_, { signal }) => untilAborted(signal)) })
    const mission = envelope()
    const running = app.colony.run(mission)
    const cancelled = await app.colony.forTenant(tenant_id).cancel(mission.mission_id)
    expect(cancelled.status).toBe('cancelled')
    expect((await running).status).toBe('cancelled')
    await app.close()
  })

  const stuck: Roles['worker'] = (input, context) =>
    input.task.task_id === 'a'
      ? done(input, context)
      : new Promise<never>((_, reject) => context.signal.addEventListener('abort', () => reject(new Error('aborted'))))
  const roles = workersFor([task('a'), task('b', ['a']), task('c', ['b'])], stuck)

  test('aborts what runs, keeps what was made, and is final', async () => {
    const app = await createApp({ roles })
    const mission = envelope()
    const running = app.colony.run(mission)
    const missions = app.colony.forTenant(tenant_id)
    for await (const { completed } of pollStatus(() => missions.status(mission.mission_id))) if (completed === 1) break
    expect(await missions.cancel(mission.mission_id)).toMatchObject({ status: 'cancelled', completed: 1 })
    expect(await running).toMatchObject({ status: 'cancelled', completed: 1, error: 'cancelled' })
    expect(await missions.resume(mission.mission_id)).toMatchObject({ status: 'cancelled' })
    expect(await missions.toText(mission.mission_id)).toContain('✔ a')
    expect((await app.skills.list({ state: 'running' })).length).toBe(0)
    await app.close()
  })

  test('reaches a mission that another app runs', async () => {
    const storage = `sqlite:${join(folder, 'cancel.db')}`
    const first = await createApp({ storage, roles })
    const second = await createApp({ storage, roles })
    const mission = envelope()
    const running = first.colony.run(mission)
    const missions = second.colony.forTenant(tenant_id)
    for await (const { completed } of pollStatus(() => missions.status(mission.mission_id))) if (completed === 1) break
    while ((await second.skills.list({ state: 'running' })).length === 0) await new Promise(setImmediate)
    expect(await missions.cancel(mission.mission_id)).toMatchObject({ status: 'cancelled', completed: 1 })
    expect(await running).toMatchObject({ status: 'cancelled', completed: 1 })
    await first.close()
    await second.close()
  })

  test('works by signal', async () => {
    const app = await createApp({ roles })
    const controller = new AbortController()
    const mission = envelope()
    const running = app.colony.run(mission, { signal: controller.signal })
    const missions = app.colony.forTenant(tenant_id)
    for await (const { completed } of pollStatus(() => missions.status(mission.mission_id))) if (completed === 1) break
    controller.abort(new Error('enough'))
    expect(await running).toMatchObject({ status: 'cancelled', error: 'enough' })
    await app.close()
  })
})

describe('resuming', () => {
  test('takes a mission on in another app, and completed tasks are left alone', async () => {
    const storage = `sqlite:${join(folder, 'resume.db')}`
    const tasks = [task('a'), task('b', ['a']), task('c', ['b'])]
    const { open, opened } = gate()
    const first = await createApp({
      storage,
      skills: { shutdownMs: 0 },
      roles: workersFor(tasks, (input, context) => {
        if (input.task.task_id !== 'b') return done(input, context)
        open()
        return new Promise<never>(() => {})
      }),
    })
    const mission = envelope()
    const running = first.colony.run(mission)
    const interrupted = expect(running).rejects.toMatchObject({ code: 'MISSION_INTERRUPTED' })
    await opened
    await first.close()
    await interrupted

    const begun: string[] = []
    const second = await createApp({
      storage,
      roles: workersFor(tasks, (input, context) => {
        begun.push(input.task.task_id)
        return done(input, context)
      }),
    })
    const missions = second.colony.forTenant(tenant_id)
    expect(await missions.status(mission.mission_id)).toMatchObject({ status: 'running', active: false, completed: 1 })
    expect(await missions.toText(mission.mission_id)).toContain('interrupted, 1 of 3 tasks')
    expect(await missions.resume(mission.mission_id)).toMatchObject({ status: 'completed', completed: 3 })
    expect(begun).toEqual(['b', 'c'])
    const successes = await second.skills.executions({ skill_name: 'colony-worker', status: 'success' })
    expect(successes).toHaveLength(3)
    await second.close()
  })

  test('can retry what failed, when asked to', async () => {
    let broken = true
    const roles = workersFor([task('a'), task('b', ['a'])], (input, context) => {
      if (broken && input.task.task_id === 'b') throw new Error('broken')
      return done(input, context)
    })
    const app = await createApp({ roles })
    const mission = envelope()
    expect(await app.colony.run(mission)).toMatchObject({ status: 'failed', completed: 1 })
    broken = false
    const missions = app.colony.forTenant(tenant_id)
    expect(await missions.resume(mission.mission_id)).toMatchObject({ status: 'failed' })
    expect(await missions.resume(mission.mission_id, { retryFailed: true })).toMatchObject({ status: 'completed' })
    expect(await missions.replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })
})

test('missions can run on subagents that are not stored', async () => {
  const app = await createApp({ skills: { persistence: false } })
  const mission = envelope()
  expect(await app.colony.run(mission)).toMatchObject({ status: 'completed', completed: 9 })
  expect(await app.colony.forTenant(tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
  await app.close()
})

describe('the store', () => {
  test('refuses a second run and an invalid envelope, and shows nothing to other tenants', async () => {
    const app = await createApp()
    const mission = envelope()
    await app.colony.run(mission)
    await expect(app.colony.run(mission)).rejects.toMatchObject({ code: 'MISSION_EXISTS' })
    await expect(app.colony.run({ ...mission, mission_id: 'x' })).rejects.toMatchObject({ code: 'INVALID_ARTIFACT' })
    const others = app.colony.forTenant('tenant_other')
    for (const call of ['status', 'resume', 'cancel', 'replay', 'toMermaid'] as const) {
      await expect(others[call](mission.mission_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await expect(others.watch(mission.mission_id).next()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const hostile of ['__proto__', 'constructor', '', '\0', 'x'.repeat(1e5)]) {
      await expect(app.colony.forTenant(tenant_id).status(hostile)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    const long = 'x'.repeat(50_000_000) as never
    const missions = app.colony.forTenant(tenant_id)
    await expect(missions.list(long)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(missions.resume('a', long)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(() => app.colony.forTenant('')).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    await app.close()
  })

  test('a mission is drawn with the states of its tasks', async () => {
    const app = await createApp()
    const mission = envelope()
    await app.colony.run(mission)
    const drawing = await app.colony.forTenant(tenant_id).toMermaid(mission.mission_id)
    expect(drawing).toMatch(/^flowchart TB\n/)
    expect(drawing).toContain('classDef')
    expect(drawing.match(/-->/g)?.length).toBeGreaterThan(20)
    expect(await app.colony.toText(mission.mission_id, { tenantId: tenant_id })).toContain('completed, 9 of 9 tasks')
    await app.close()
  })
})

async function* pollStatus(read: () => Promise<MissionProgress>) {
  for (;;) {
    const progress = await read().catch(() => undefined)
    if (progress) yield progress
    await new Promise((resolve) => setImmediate(resolve))
  }
}
