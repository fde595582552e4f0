import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { type Artifact, artifactId } from '../../src/index.js'
import { artifactsOf, task } from '../support/mission.js'
import { changed, newMission, storeMission, TENANT } from '../support/stored-mission.js'
import { type CreateBackend, context } from './context.js'

export function readingSuite(create: CreateBackend): void {
  const { open } = context(create)

  it('finds each artifact by mission, kind and id', async () => {
    const store = await open()
    const mission = await storeMission(store)
    const missionId = String(mission.mission_envelope.mission_id)
    const reader = store.forTenant(TENANT)
    for (const artifact of artifactsOf(mission)) {
      const { schema_name } = artifact
      const found = await reader.get(missionId, schema_name, artifactId(artifact))
      expect(found).toMatchObject({ ...(artifact as object) })
      expect((await reader.list(schema_name)).items).toEqual([found])
      const { items } = await reader.list(schema_name, { missionId, producer: artifact.producer })
      expect(items).toEqual([found])
    }
    expect(await reader.get(missionId, 'mission_envelope')).toMatchObject(mission.mission_envelope)
    expect(await reader.get(missionId, 'worker_result', 'wrk_404')).toBeUndefined()
    expect(await reader.get('no id at all!', 'worker_result', 'wrk_001')).toBeUndefined()
    expect(await reader.get(missionId, 'worker_result', '\u0000')).toBeUndefined()
    await expect(reader.get(missionId, 'worker_result')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('shows a tenant nothing that belongs to another, even by id', async () => {
    const store = await open()
    const mission = await storeMission(store)
    const missionId = String(mission.mission_envelope.mission_id)
    const other = newMission()
    other.mission_envelope.tenant_id = 'tenant_other'
    await storeMission(store, other)
    const reader = store.forTenant('tenant_other')
    for (const artifact of artifactsOf(mission)) {
      expect(await reader.get(missionId, artifact.schema_name, artifactId(artifact))).toBeUndefined()
      const { items } = await reader.list(artifact.schema_name)
      expect(items).toHaveLength(1)
      expect(items[0]).toMatchObject({ tenant_id: 'tenant_other' })
      expect((await reader.list(artifact.schema_name, { missionId })).items).toEqual([])
    }
    expect(await reader.mission(missionId)).toEqual([])
    expect(await reader.task(missionId, 'task_worker_01')).toBeUndefined()
    expect((await reader.missions()).items).toMatchObject([{ mission_id: other.mission_envelope.mission_id }])
    expect((await store.forTenant('tenant_nobody').missions()).items).toEqual([])
  })

  it('does not read without a tenant', async () => {
    const store = await open()
    for (const tenant of [undefined, null, '', 7, '../x'] as string[])
      expect(() => store.forTenant(tenant)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it('gives a mission in the order of time, whatever the offsets, then of the contracts', async () => {
    const store = await open()
    const mission = newMission()
    const { worker_result } = mission
    const results = [
      { result_id: 'wrk_c', created_at: '2026-04-14T14:30:00.5+02:00' },
      { result_id: 'wrk_b', created_at: '2026-04-14T12:30:00Z' },
      { result_id: 'wrk_a', created_at: '2026-04-14T12:30:00.000Z' },
    ].map((each) => changed(worker_result, each) as unknown as Artifact)
    await store.putMany([...artifactsOf(mission), ...results])
    const read = await store.forTenant(TENANT).mission(String(mission.mission_envelope.mission_id))
    expect(read.map(artifactId).slice(1)).toEqual([
      String(mission.mission_envelope.mission_id),
      'pol_001',
      'pkg_001',
      'pass_001',
      'res_001',
      'wrk_001',
      'agg_001',
      'rev_001',
      'wb_001',
      'wrk_a',
      'wrk_b',
      'wrk_c',
    ])
  })

  it('lists missions by filter, page after page, either way', async () => {
    const store = await open()
    const ids = Array.from({ length: 5 }, () => randomUUID()).sort()
    for (const [index, mission_id] of ids.entries()) {
      const { mission_envelope } = newMission(mission_id)
      const created_at = `2026-04-14T12:0${index}:00Z`
      await store.put(changed(mission_envelope, { created_at, risk_level: index % 2 ? 'high' : 'low' }))
    }
    const reader = store.forTenant(TENANT)
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const page = await reader.missions({ limit: 2, ...(cursor !== undefined && { cursor }) })
      pages.push(page.items.map(({ mission_id }) => mission_id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    const newest = await reader.missions({ direction: 'desc', riskLevel: 'high' })
    expect(newest.items.map(({ mission_id }) => mission_id)).toEqual([ids[3], ids[1]])
    expect((await reader.missions({ missionType: 'other' })).items).toEqual([])
    await expect(reader.missions({ risk_level: 'high' } as never)).rejects.toMatchObject({ code: 'INVALID_QUERY' })
  })

  it('lists by task', async () => {
    const store = await open()
    const mission = newMission()
    ;(mission.mission_task_graph.tasks as unknown[]).push(task('task_worker_02'))
    await storeMission(store, mission)
    await store.put(changed(mission.worker_result, { result_id: 'wrk_002', task_id: 'task_worker_02' }))
    const { items } = await store.forTenant(TENANT).list('worker_result', { taskId: 'task_worker_02' })
    expect(items.map(({ result_id }) => result_id)).toEqual(['wrk_002'])
  })
}
