import { canonicalJson, type JsonValue } from '@minions/core/json'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { type Artifact, artifactHash, validateMission } from '../../src/index.js'
import { artifactsOf, task } from '../support/mission.js'
import { changed, newMission, storeMission, TENANT } from '../support/stored-mission.js'
import { type CreateBackend, context } from './context.js'

export function storeSuite(create: CreateBackend): void {
  const { open } = context(create)

  it('keeps all ten kinds, one by one, with tenant and actor filled in', async () => {
    const store = await open()
    const mission = newMission()
    for (const artifact of artifactsOf(mission)) {
      const { created, artifact: stored, hash } = await store.put(artifact)
      expect(created).toBe(true)
      expect(stored).toEqual({ ...artifact, tenant_id: TENANT, actor_id: 'oracle_operator' })
      expect(hash).toBe(artifactHash(stored))
    }
    const { mission_id } = mission.mission_envelope as { mission_id: string }
    const read = await store.forTenant(TENANT).mission(mission_id)
    expect(read).toHaveLength(10)
    expect(validateMission(read)).toEqual({ valid: true, errors: [] })
    for (const artifact of artifactsOf(mission))
      expect(read).toContainEqual({ ...artifact, tenant_id: TENANT, actor_id: 'oracle_operator' })
  })

  it('keeps a mission whatever its order, and putting it again changes nothing', async () => {
    const store = await open()
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(artifactsOf(newMission()), { minLength: 10 }), async (shuffled) => {
        const { mission_envelope } = newMission()
        const artifacts = shuffled.map((artifact) =>
          changed(artifact as never, { mission_id: mission_envelope.mission_id }),
        )
        expect((await store.putMany(artifacts)).every(({ created }) => created)).toBe(true)
        const before = await store.forTenant(TENANT).mission(String(mission_envelope.mission_id))
        expect((await store.putMany(artifacts)).some(({ created }) => created)).toBe(false)
        for (const artifact of artifacts) expect(await store.put(artifact)).toMatchObject({ created: false })
        expect(await store.forTenant(TENANT).mission(String(mission_envelope.mission_id))).toEqual(before)
      }),
      { numRuns: 5, seed: 9 },
    )
  })

  it('keeps unknown fields, whatever they are called', async () => {
    const store = await open()
    const mission = await storeMission(store)
    const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":"x","revision":7,"tasks":[]}')
    const result = {
      ...mission.worker_result,
      result_id: 'wrk_h',
      structured_output: hostile,
      toString: 'x',
      revision: 3,
    }
    await store.put(result as unknown as Artifact<string>)
    const missionId = String(mission.mission_envelope.mission_id)
    const read = await store.forTenant(TENANT).get(missionId, 'worker_result', 'wrk_h')
    expect(read).toEqual({ ...result, tenant_id: TENANT, actor_id: 'oracle_operator' })
    expect(canonicalJson(read?.structured_output as JsonValue)).toBe(canonicalJson(hostile))
  })

  it('refuses other content under an id that is taken, and keeps the first', async () => {
    const store = await open()
    const mission = await storeMission(store)
    const { mission_task_graph: _, ...others } = mission
    for (const artifact of Object.values(others)) {
      const other = changed(artifact, { producer: 'somebody_else' })
      await expect(store.put(other)).rejects.toMatchObject({ code: 'CONFLICT' })
      await expect(store.putMany([artifact, other] as never)).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    const read = await store.forTenant(TENANT).mission(String(mission.mission_envelope.mission_id))
    expect(read.filter(({ producer }) => producer === 'somebody_else')).toEqual([])
  })

  it('takes a new graph as a new revision together with its tasks, and a known one as known', async () => {
    const store = await open()
    const mission = await storeMission(store)
    const missionId = String(mission.mission_envelope.mission_id)
    const reader = store.forTenant(TENANT)
    const tasks = [task('task_worker_01', { allowed_tools: ['hammer'] }), task('task_new')]
    const second = changed(mission.mission_task_graph, { tasks, created_at: '2026-04-14T13:00:00Z' })
    expect(await store.put(second)).toMatchObject({ created: true, revision: 2 })
    expect(await store.put(second)).toMatchObject({ created: false, revision: 2 })
    expect(await store.put(mission.mission_task_graph as never)).toMatchObject({ created: false, revision: 1 })
    expect(await reader.get(missionId, 'mission_task_graph')).toMatchObject({ tasks })
    expect((await reader.get(missionId, 'mission_task_graph', 1))?.tasks).toHaveLength(3)
    expect(await reader.get(missionId, 'mission_task_graph', 3)).toBeUndefined()
    expect(await reader.task(missionId, 'task_worker_01')).toMatchObject({
      allowed_tools: ['hammer'],
      graph_revision: 2,
    })
    expect(await reader.task(missionId, 'task_plan_01')).toMatchObject({ graph_revision: 1, tenant_id: TENANT })
    expect((await reader.list('mission_task_graph', { missionId })).items).toHaveLength(2)
    expect(await reader.mission(missionId)).toHaveLength(11)
  })

  it('gives concurrent graphs revisions of their own', async () => {
    const store = await open()
    const { mission_envelope, mission_task_graph } = newMission()
    await store.put(mission_envelope as never)
    const graphs = ['one', 'two', 'three'].map((producer) => changed(mission_task_graph, { producer }))
    const results = await Promise.all(graphs.map((graph) => store.put(graph)))
    expect(results.map(({ revision }) => revision).sort()).toEqual([1, 2, 3])
  })

  it('lets one of two concurrent reviews of a packet in', async () => {
    const store = await open()
    const mission = await storeMission(store, newMission(), ['review_packet'])
    const reviews = ['rev_a', 'rev_b'].map((packet_id) => changed(mission.review_packet, { packet_id }))
    const results = await Promise.allSettled(reviews.map((review) => store.put(review)))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(failure.reason).toMatchObject({
      code: 'LINKAGE_VIOLATION',
      details: { errors: [{ code: 'SECOND_REVIEW' }] },
    })
  })

  it('stores all of a batch or nothing', async () => {
    const store = await open()
    const mission = newMission()
    mission.worker_result.task_id = 'task_unknown'
    await expect(store.putMany(artifactsOf(mission))).rejects.toMatchObject({
      code: 'LINKAGE_VIOLATION',
      details: { errors: [{ pointer: '/5/task_id', code: 'UNKNOWN_TASK' }] },
    })
    expect(await store.forTenant(TENANT).mission(String(mission.mission_envelope.mission_id))).toEqual([])
  })

  it('stores several missions at once, each under its own envelope', async () => {
    const store = await open()
    const [one, two] = [newMission(), newMission()]
    two.mission_envelope.tenant_id = 'tenant_two'
    const results = await store.putMany(
      artifactsOf(one).flatMap((artifact, index) => [artifact, artifactsOf(two)[index]] as never),
    )
    expect(results.map(({ artifact }) => artifact.tenant_id)).toEqual(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? TENANT : 'tenant_two')),
    )
  })

  it('takes part in a transaction and goes with it', async () => {
    const store = await open()
    const mission = newMission()
    const missionId = String(mission.mission_envelope.mission_id)
    const failing = store.transaction(async (inside) => {
      await inside.putMany(artifactsOf(mission))
      expect(await inside.forTenant(TENANT).mission(missionId)).toHaveLength(10)
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await store.forTenant(TENANT).mission(missionId)).toEqual([])
    await store.storage.transaction((tx) => store.with(tx).putMany(artifactsOf(mission)))
    expect(await store.forTenant(TENANT).mission(missionId)).toHaveLength(10)
  })

  it('does not notice what its caller does to an artifact afterwards', async () => {
    const store = await open()
    const mission = await storeMission(store)
    const structured_output = { priority: 'high' }
    const result = { ...mission.worker_result, result_id: 'wrk_c', structured_output }
    const putting = store.put(result as never)
    structured_output.priority = 'changed'
    await putting
    const missionId = String(mission.mission_envelope.mission_id)
    const read = await store.forTenant(TENANT).get(missionId, 'worker_result', 'wrk_c')
    expect(read?.structured_output).toMatchObject({ priority: 'high' })
  })

  it('keeps kinds of your own and leads old versions to new ones when they are read', async () => {
    const note = { name: 'field_note', version: 'v1', schema: Type.Object({ text: Type.String() }), idField: 'note_id' }
    const store = await open({ kinds: [note] })
    const mission = await storeMission(store)
    const missionId = String(mission.mission_envelope.mission_id)
    const artifact = {
      schema_name: 'field_note',
      schema_version: 'v1',
      mission_id: missionId,
      note_id: 'note_1',
      task_id: 'task_worker_01',
      text: 'a\nb',
      created_at: '2026-04-14T14:00:00Z',
      producer: 'someone',
    }
    expect(await store.put(artifact)).toMatchObject({ created: true })
    await expect(store.put({ ...artifact, note_id: 'note_2', task_id: 'nowhere' })).rejects.toMatchObject({
      code: 'LINKAGE_VIOLATION',
    })
    store.registry.register({
      ...note,
      version: 'v2',
      schema: Type.Object({ lines: Type.Array(Type.String()) }),
      upcastFrom: { v1: ({ text, ...rest }) => ({ ...rest, lines: String(text).split('\n') }) },
    })
    const reader = store.forTenant(TENANT)
    const expected = { schema_version: 'v2', lines: ['a', 'b'], tenant_id: TENANT }
    expect(await reader.get(missionId, 'field_note', 'note_1')).toMatchObject(expected)
    expect((await reader.list('field_note')).items).toMatchObject([expected])
    expect((await reader.mission(missionId)).at(-1)).toMatchObject(expected)
    // What is stored has not changed, so the same content is still the same.
    expect(await store.put(artifact)).toMatchObject({ created: false })
  })

  it('says so when it has no place for a kind', async () => {
    const store = await open()
    store.registry.register({ name: 'field_note', version: 'v1', schema: {} })
    const { mission_envelope } = newMission()
    const note = changed(mission_envelope, { schema_name: 'field_note', artifact_id: 'n' })
    await expect(store.put(note)).rejects.toMatchObject({ code: 'KIND_NOT_STORED' })
    await expect(store.forTenant(TENANT).list('field_note')).rejects.toMatchObject({ code: 'KIND_NOT_STORED' })
  })
}
