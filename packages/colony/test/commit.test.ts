import { join } from 'node:path'
import type { MissionEnvelope } from '@minions/colony-contracts'
import type { StorageBackend, StoreAccess, WriteBatch } from '@minions/core/storage'
import { describe, expect, test } from 'vitest'
import { exampleMission, missionCollections, type Roles } from '../src/index.ts'
import { createApp, envelope, folder, type TestApp } from './support/app.ts'
import { done, task, workersFor } from './support/graphs.ts'

const { tenant_id } = exampleMission.envelope
const [missionRuns, leases, taskRuns] = missionCollections

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

/** Runs a task of a mission that is under way once more, beside the mission. */
function again(app: TestApp, mission_id: string, task_id: string) {
  return app.skills.execute('colony-worker', { mission_id, task_id, role_type: 'worker', attempt: 1 })
}

async function stored(app: TestApp, mission_id: string, task_id: string) {
  const results = await app.contracts.store.forTenant(tenant_id).list('worker_result', { missionId: mission_id })
  const artifacts = results.items.filter((each) => each.task_id === task_id)
  return { artifacts, taskRun: await app.storage.getRevised(taskRuns, [mission_id, task_id]) }
}

describe.each(['memory:', `sqlite:${join(folder, 'commit.db')}`])('a task on %s', (storage) => {
  test('that is completed is neither done nor committed again', async () => {
    const { open, opened } = gate()
    const begun: string[] = []
    const roles = workersFor([task('a'), task('b', ['a'])], async (input, context) => {
      begun.push(input.task.task_id)
      if (input.task.task_id === 'b') await opened
      return done(input, context)
    })
    const app = await createApp({ storage, roles })
    const mission = envelope()
    const running = app.colony.run(mission)
    while (!begun.includes('b')) await new Promise(setImmediate)
    const before = await stored(app, mission.mission_id, 'a')
    expect(before.taskRun?.record.status).toBe('completed')
    expect(await again(app, mission.mission_id, 'a')).toEqual({ task_id: 'a' })
    expect(await stored(app, mission.mission_id, 'a')).toEqual(before)
    expect(begun).toEqual(['a', 'b'])
    open()
    expect(await running).toMatchObject({ status: 'completed', completed: 2 })
    await app.close()
  })

  test('that two do at the same time is committed by the quicker one', async () => {
    const gates = [gate(), gate()]
    let begun = 0
    const worker: Roles['worker'] = async () => {
      const number = begun++
      await gates[number]?.opened
      return { output_text: `by ${number}`, confidence: 1 }
    }
    const app = await createApp({ storage, roles: workersFor([task('a')], worker) })
    const mission = envelope()
    const running = app.colony.run(mission)
    while (begun < 1) await new Promise(setImmediate)
    const second = again(app, mission.mission_id, 'a')
    while (begun < 2) await new Promise(setImmediate)
    gates[1]?.open()
    await second
    const first = await stored(app, mission.mission_id, 'a')
    gates[0]?.open()
    expect(await running).toMatchObject({ status: 'completed', completed: 1 })
    expect(await stored(app, mission.mission_id, 'a')).toEqual(first)
    expect(first.artifacts).toMatchObject([{ output_text: 'by 1' }])
    await app.close()
  })

  test('commits nothing once another process has completed it, or ended the mission', async () => {
    for (const change of ['completed', 'cancelled'] as const) {
      const { open, opened } = gate()
      let begun = 0
      const roles = workersFor([task('a')], async (input, context) => {
        begun++
        await opened
        return done(input, context)
      })
      const app = await createApp({ storage, roles })
      const mission = envelope()
      const { mission_id } = mission
      const running = app.colony.run(mission)
      while (begun < 1) await new Promise(setImmediate)
      const { storage: store } = app
      if (change === 'completed') {
        await store.put(taskRuns, {
          ...{ mission_id, task_id: 'a', tenant_id, status: 'completed', attempt: 1, at: mission.created_at },
          ...{ graph_revision: 1, elapsed_ms: 0, agent_id: 'elsewhere', artifacts: [], error: null },
        })
      } else {
        const run = await store.get(missionRuns, mission_id)
        if (run) await store.put(missionRuns, { ...run, status: 'cancelled', error: 'cancelled' })
      }
      open()
      expect(await running).toMatchObject({ status: change, completed: change === 'completed' ? 1 : 0 })
      const { artifacts, taskRun } = await stored(app, mission_id, 'a')
      expect(artifacts).toEqual([])
      expect(taskRun?.record.agent_id).toBe(change === 'completed' ? 'elsewhere' : undefined)
      await app.close()
    }
  })
})

test('a task costs one write and no reads, whatever runs beside it', async () => {
  const app = await createApp({ roles: workersFor(Array.from({ length: 40 }, (_, index) => task(`t${index}`))) })
  const counts = count(app.storage)
  expect(await app.colony.run(envelope(), { concurrency: 8 })).toMatchObject({ completed: 40 })
  const { writes, reads } = counts()
  // The mission itself: its beginning, its plan and its end, for which its lease and its approvals are read.
  expect(writes).toBeLessThanOrEqual(40 + 6)
  expect(reads).toBeLessThanOrEqual(4)
  await app.close()
})

/** Counts the calls of the backend under a store. */
test('a mission begins the same way whether it, and its graph, were stored before or not', async () => {
  const tasks = [task('a'), task('b', ['a'])]
  const app = await createApp({ roles: workersFor(tasks), clock: () => Date.parse('2026-04-14T12:00:00Z') })
  const { store } = app.contracts
  const missions = [envelope(), envelope(), envelope()]
  const ids = missions.map(({ mission_id }) => mission_id)
  const [first, second, third] = missions as [MissionEnvelope, MissionEnvelope, MissionEnvelope]
  await app.colony.run(first)
  const graph = await store.forTenant(tenant_id).get(first.mission_id, 'mission_task_graph')
  if (!graph) throw new Error('There is no graph.')
  await store.put(second)
  await store.putMany([third, { ...graph, mission_id: third.mission_id }])
  for (const mission of [second, third]) {
    expect(await app.colony.run(mission)).toMatchObject({ status: 'completed', completed: 2 })
  }
  const found = await Promise.all(
    ids.map(async (missionId) => {
      const run = await app.storage.get(missionRuns, missionId)
      const artifacts = await store.forTenant(tenant_id).mission(missionId)
      const lease = await app.storage.get(leases, missionId)
      return JSON.stringify({ run, artifacts, lease }).replaceAll(missionId, 'id')
    }),
  )
  expect(new Set(found).size).toBe(1)
  const other = { ...envelope(), mission_id: second.mission_id, user_goal: 'Something else.' }
  await expect(app.colony.run(other)).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(app.colony.run(third)).rejects.toMatchObject({ code: 'MISSION_EXISTS' })
  await app.close()
})

test.each(['run', 'lease'] as const)('a mission ends although its %s was written once more before', async (what) => {
  const app = await createApp({ roles: workersFor([task('a')]) })
  const mission = envelope()
  const { backend } = app.storage as unknown as { backend: StorageBackend }
  const write = backend.write?.bind(backend)
  if (!write) throw new Error('The backend writes no batches.')
  let ends = 0
  backend.write = async (batch) => {
    const isEnd = batch.some(({ collection, deletes }) => collection === leases.name && deletes.length > 0)
    if (isEnd && ends++ === 0) {
      const run = await app.storage.get(missionRuns, mission.mission_id)
      const lease = await app.storage.get(leases, mission.mission_id)
      if (what === 'run' && run) await app.storage.put(missionRuns, run)
      if (what === 'lease' && lease) await app.storage.put(leases, lease)
    }
    return write(batch)
  }
  expect(await app.colony.run(mission)).toMatchObject({ status: 'completed', completed: 1 })
  expect(ends).toBe(1)
  expect(await app.storage.get(missionRuns, mission.mission_id)).toMatchObject({ status: 'completed' })
  expect(await app.storage.get(leases, mission.mission_id)).toBeUndefined()
  await app.close()
})

function count(storage: StoreAccess) {
  const { backend } = storage as StoreAccess & {
    backend: { write(batch: WriteBatch['parts']): Promise<void> } & Record<string, (...args: unknown[]) => unknown>
  }
  let writes = 0
  let reads = 0
  for (const name of ['write', 'transaction', 'get', 'query', 'count']) {
    const original = backend[name]?.bind(backend)
    if (!original) continue
    backend[name] = (...args: unknown[]) => {
      if (name === 'write' || name === 'transaction') writes++
      else reads++
      return original(...args)
    }
  }
  return () => ({ writes, reads })
}
