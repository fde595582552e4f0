import { type Operation, type Progress, runExample, runOperation } from '@minions/core/operations'
import { expect, test } from 'vitest'
import { deterministicRoles, exampleMission } from '../src/index.ts'
import { missionOperations } from '../src/operations/mission-operations.js'
import { get, list } from '../src/operations/reading.ts'
import { run } from '../src/operations/running.ts'
import { createApp, envelope } from './support/app.ts'

const TENANT = exampleMission.envelope.tenant_id
const call = { tenant: TENANT, by: 'ada' }

const own: readonly Operation[] = missionOperations

/** Roles of which the first worker calls `work` before it does its own. */
function rolesWith(work: (signal: AbortSignal) => void | Promise<void>) {
  const roles = deterministicRoles()
  return {
    ...roles,
    worker: async (...[input, context]: Parameters<NonNullable<typeof roles.worker>>) => {
      await work(context.signal)
      return roles.worker?.(input, context) as never
    },
  }
}

test.each(own.flatMap((operation) => (operation.examples ?? []).map((example) => ({ operation, example }))))(
  'the example "$example.title" of $operation.name runs',
  async ({ operation, example }) => {
    const app = await createApp()
    await runExample(app, operation, example)
    await app.close()
  },
)

test('what operations answer is what the colony answers', async () => {
  const app = await createApp()
  const mission = envelope()
  const input = { mission: mission.mission_id }
  const result = await runOperation(app, run, { envelope: mission, concurrency: 2 }, call)
  expect(result).toMatchObject({ status: 'completed', review: { review_status: 'approved' } })
  const missions = app.colony.forTenant(TENANT)
  const progress = await missions.status(mission.mission_id)
  expect(await runOperation(app, 'missions.status', input, call)).toEqual(progress)
  expect(await runOperation(app, 'missions.graph', input, call)).toEqual(progress.tasks)
  expect(await runOperation(app, 'missions.replay', input, call)).toEqual(await missions.replay(mission.mission_id))
  const artifacts = await app.contracts.store.forTenant(TENANT).mission(mission.mission_id)
  expect(await runOperation(app, get, input, call)).toEqual({ ...progress, envelope: artifacts[0], artifacts })
  for (const [format, text] of [
    [undefined, await missions.toMermaid(mission.mission_id)],
    ['text', await missions.toText(mission.mission_id)],
  ]) {
    expect(await runOperation(app, 'missions.diagram', { ...input, format }, call)).toEqual({ diagram: text })
  }
  await app.close()
})

test('a run reports each task, and what a listener throws does not stop it', async () => {
  const app = await createApp()
  const seen: Progress[] = []
  const onProgress = (progress: Progress) => {
    seen.push(progress)
    throw new Error('not now')
  }
  const { total } = await runOperation(app, run, { envelope: envelope() }, { ...call, onProgress })
  const done = seen.map((progress) => progress.done)
  expect(done).toEqual([...done].sort((a, b) => a - b))
  expect(new Set(done)).toEqual(new Set(Array.from({ length: total + 1 }, (_, index) => index)))
  expect(seen.at(-1)).toEqual({ done: total, total, message: 'completed' })
  await app.close()
})

test('cancelling the call cancels the mission, which can be resumed with progress', async () => {
  const controller = new AbortController()
  const app = await createApp({ roles: rolesWith(() => controller.abort()) })
  const mission = envelope()
  const input = { mission: mission.mission_id }
  const running = runOperation(app, run, { envelope: mission }, { ...call, signal: controller.signal })
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(await runOperation(app, 'missions.status', input, call)).toMatchObject({ status: 'cancelled', active: false })
  const kept = await runOperation(app, 'missions.resume', { ...input, retryFailed: false }, call)
  expect(kept).toMatchObject({ status: 'cancelled' })
  const seen: Progress[] = []
  const onProgress = (progress: Progress) => void seen.push(progress)
  expect(await runOperation(app, 'missions.resume', input, { ...call, onProgress })).toMatchObject({
    status: 'completed',
  })
  expect(seen.at(-1)).toMatchObject({ message: 'completed' })
  await app.close()
})

test('a mission that was started goes on without its caller, and can be cancelled until it has ended', async () => {
  let begun = () => {}
  const isWorking = new Promise<void>((resolve) => {
    begun = resolve
  })
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      begun()
    })
  const app = await createApp({ roles: rolesWith(untilAborted) })
  const mission = envelope()
  const input = { mission: mission.mission_id }
  expect(await runOperation(app, 'missions.start', { envelope: mission }, call)).toMatchObject({
    mission_id: mission.mission_id,
    status: 'running',
    active: true,
  })
  const again = runOperation(app, 'missions.start', { envelope: mission }, call)
  await expect(again).rejects.toMatchObject({ code: 'MISSION_EXISTS' })
  await isWorking
  expect(await runOperation(app, 'missions.cancel', input, call)).toMatchObject({ status: 'cancelled' })
  await app.close()

  const other = await createApp()
  await runOperation(other, run, { envelope: mission }, call)
  await expect(runOperation(other, 'missions.cancel', input, call)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('completed'),
  })
  await other.close()
})

test('missions are listed by status, the newest first, in pages', async () => {
  const app = await createApp()
  const ids: string[] = []
  for (let minute = 10; minute < 15; minute++) {
    const mission = envelope({ created_at: `2026-04-14T12:${minute}:00Z` })
    ids.unshift(mission.mission_id)
    if (minute === 12) await app.contracts.store.put(mission)
    else await app.colony.run(mission)
  }
  const collect = async (status?: 'completed' | 'not_started' | 'failed') => {
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await runOperation(
        app,
        list,
        { limit: 2, ...(status && { status }), ...(cursor && { cursor }) },
        call,
      )
      found.push(...page.items.map(({ mission_id }) => mission_id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return found
  }
  expect(await collect()).toEqual(ids)
  expect(await collect('not_started')).toEqual([ids[2]])
  expect(await collect('completed')).toEqual(ids.filter((_, index) => index !== 2))
  expect(await collect('failed')).toEqual([])
  expect(await runOperation(app, list, {}, { tenant: 'tenant_other' })).toEqual({ items: [] })
  await app.close()
})

test('missions belong to a tenant, and calls say which', async () => {
  const app = await createApp()
  const mission = envelope()
  await app.colony.run(mission)
  for (const { name } of own) {
    const input = ['missions.run', 'missions.start', 'missions.submit'].includes(name)
      ? { envelope: envelope() }
      : name === 'missions.list'
        ? {}
        : { mission: mission.mission_id }
    if (!('envelope' in input)) {
      await expect(runOperation(app, name, input)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    if (name === 'missions.list') continue
    const code = 'envelope' in input ? 'VALIDATION_FAILED' : 'NOT_FOUND'
    await expect(runOperation(app, name, input, { tenant: 'tenant_other' })).rejects.toMatchObject({ code })
  }
  await app.close()
})

test('an input that does not fit is refused before anything is stored', async () => {
  const app = await createApp()
  const { user_goal: _goal, ...incomplete } = envelope()
  for (const input of [
    {},
    { envelope: incomplete },
    { envelope: envelope(), concurrency: 0 },
    { mission: envelope() },
  ]) {
    await expect(runOperation(app, 'missions.run', input, call)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  const reading = runOperation(app, 'missions.run', { envelope: envelope() }, { ...call, access: 'read' })
  await expect(reading).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await runOperation(app, list, {}, call)).toEqual({ items: [] })
  await app.close()
})
