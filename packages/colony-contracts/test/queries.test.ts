import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend, StorageReader, StorageTransaction } from '@minions/core/storage'
import { expect, it } from 'vitest'
import { type Artifact, ColonyStore, PolicyGate } from '../src/index.js'
import { changed, newMission, TENANT } from './support/stored-mission.js'

/** A backend that counts what it is asked. */
function counting(): { backend: StorageBackend; asked: () => number } {
  let count = 0
  const watch = <T extends StorageReader>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name, object)
        if (name === 'transaction')
          return (work: (tx: StorageTransaction) => Promise<unknown>) =>
            (object as unknown as StorageBackend).transaction((tx) => work(watch(tx)))
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          if (['get', 'query', 'count', 'put', 'write'].includes(String(name))) count += 1
          return member.apply(object, args)
        }
      },
    })
  const asked = () => {
    const result = count
    count = 0
    return result
  }
  return { backend: watch(memoryStorage()), asked }
}

async function missionOf(results: number) {
  const { backend, asked } = counting()
  const store = await ColonyStore.open(backend)
  const mission = newMission()
  const more = Array.from({ length: results }, (_, index) =>
    changed(mission.worker_result, { result_id: `wrk_m${index}` }),
  )
  const missionId = String(mission.mission_envelope.mission_id)
  asked()
  await store.putMany([...(Object.values(mission) as unknown as Artifact<string>[]), ...more])
  return { store, mission, missionId, asked, stored: asked() }
}

it('stores and reads a mission with a number of queries that does not depend on its size', async () => {
  const [small, large] = [await missionOf(1), await missionOf(990)]
  expect(large.stored).toBe(small.stored)
  expect(large.stored).toBeLessThanOrEqual(12)
  for (const { store, missionId, asked } of [small, large]) {
    const read = await store.forTenant(TENANT).mission(missionId)
    expect(read.length).toBe(store === small.store ? 11 : 1000)
    expect(asked()).toBe(10)
  }
  // More of a mission that is there already.
  for (const { store, mission, asked } of [small, large]) {
    await store.putMany([1, 2].map((index) => changed(mission.worker_result, { result_id: `wrk_n${index}` })))
    expect(asked()).toBe(11)
  }
})

it.each([
  // Where one more is written, it gives the mission or the task a new revision.
  ['mission_task_graph', { producer: 'other' }, 6],
  ['prompt_package', { package_id: 'x' }, 5],
  ['worker_result', { result_id: 'x' }, 5],
  ['aggregation_packet', { packet_id: 'x' }, 8],
  ['policy_decision', { decision_id: 'x' }, 4],
  ['writeback_proposal', { proposal_id: 'x' }, 3],
] as const)('puts one %s into a mission of any size with a bounded number of queries', async (name, changes, most) => {
  for (const size of [1, 500]) {
    const { store, mission, asked } = await missionOf(size)
    await store.put(changed(mission[name], changes))
    expect(asked()).toBeLessThanOrEqual(most)
  }
})

it('asks no more for a thousand references than for one', async () => {
  const { store, mission, asked } = await missionOf(990)
  const support_refs = Array.from({ length: 990 }, (_, index) => `wrk_m${index}`)
  const packet = { packet_id: 'agg_x', evidence_matrix: [{ claim: 'all of it', support_refs }] }
  await store.put(changed(mission.aggregation_packet, packet))
  expect(asked()).toBeLessThanOrEqual(8)
})

it('answers what a task may do by one write, once it has read what decides', async () => {
  const { store, missionId, asked } = await missionOf(500)
  const gate = new PolicyGate(store)
  const task = { mission_id: missionId, task_id: 'task_worker_01' }
  await gate.checkTool(task, 'crm_search')
  expect(asked()).toBeLessThanOrEqual(7)
  for (const _ of [1, 2, 3]) {
    await gate.checkTool(task, 'crm_search')
    expect(asked()).toBe(1)
  }
  await gate.checkDataScope(task, 'mission_metadata')
  expect(asked()).toBe(2)
})
