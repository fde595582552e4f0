import { expect, it } from 'vitest'
import { ARTIFACT_ID_FIELDS, type Artifact, type ArtifactName, colonyCollections } from '../../src/index.js'
import type { Json } from '../support/edit.js'
import { changed, newMission, storeMission, TENANT } from '../support/stored-mission.js'
import { type CreateBackend, sharedStore } from './context.js'

const tables: Readonly<Record<string, ArtifactName>> = {
  colony_prompt_packages: 'prompt_package',
  colony_research_artifacts: 'research_artifact',
  colony_librarian_passes: 'librarian_pass',
  colony_worker_results: 'worker_result',
  colony_aggregation_packets: 'aggregation_packet',
  colony_review_packets: 'review_packet',
  colony_policy_decisions: 'policy_decision',
  colony_writeback_proposals: 'writeback_proposal',
}

/** Each layer is driven alone: what reaches it has passed, or gone round, the ones before. */
export function layersSuite(create: CreateBackend): void {
  const shared = sharedStore(create)

  it('schema: refuses what breaks its contract before anything is asked of the store', async () => {
    const store = shared()
    const { worker_result, librarian_pass } = newMission()
    // There is no such mission either, but that is for the next layer to say.
    const bad = changed(worker_result, { confidence: 7, result_id: undefined })
    await expect(store.put(bad)).rejects.toMatchObject({
      code: 'INVALID_ARTIFACT',
      details: {
        errors: [
          { pointer: '/result_id', code: 'REQUIRED' },
          { pointer: '/confidence', code: 'RANGE' },
        ],
      },
    })
    await expect(store.putMany([bad])).rejects.toMatchObject({ details: { errors: [{ pointer: '/0/result_id' }, {}] } })
    await expect(store.put(null as never)).rejects.toMatchObject({ code: 'INVALID_ARTIFACT' })
    const expired = changed(librarian_pass, { expires_at: librarian_pass.created_at })
    await expect(store.put(expired)).rejects.toMatchObject({ details: { errors: [{ code: 'EXPIRED_WHEN_CREATED' }] } })
    const version = changed(worker_result, { schema_version: 'v2' })
    await expect(store.put(version)).rejects.toMatchObject({ details: { errors: [{ code: 'UNKNOWN_VERSION' }] } })
  })

  it.each<[string, keyof ReturnType<typeof newMission>, Json]>([
    ['ORPHAN', 'worker_result', { mission_id: '00000000-0000-4000-8000-000000000000' }],
    ['TENANT_MISMATCH', 'worker_result', { result_id: 'wrk_x', tenant_id: 'tenant_other' }],
    ['ACTOR_MISMATCH', 'worker_result', { result_id: 'wrk_x', actor_id: 'somebody' }],
    ['UNKNOWN_TASK', 'worker_result', { result_id: 'wrk_x', task_id: 'task_x' }],
    ['UNKNOWN_TASK', 'policy_decision', { decision_id: 'pol_x', task_id: 'task_x' }],
    ['PASS_EXPIRED', 'worker_result', { result_id: 'wrk_x', created_at: '2026-04-14T15:00:00Z' }],
    ['ROLE_MISMATCH', 'prompt_package', { package_id: 'pkg_x', role_type: 'reviewer' }],
    ['SCOPE_EXCEEDED', 'prompt_package', { package_id: 'pkg_x', tool_scope: ['root_shell'] }],
    [
      'UNKNOWN_REFERENCE',
      'aggregation_packet',
      { packet_id: 'agg_x', evidence_matrix: [{ claim: 'c', support_refs: ['wrk_404', 'lead_1'] }] },
    ],
    ['UNKNOWN_REFERENCE', 'policy_decision', { decision_id: 'pol_x', decision_type: 'writeback', subject: 'wb_404' }],
    ['SECOND_REVIEW', 'review_packet', { packet_id: 'rev_x' }],
    ['REVIEW_WITHOUT_PACKET', 'review_packet', { packet_id: 'rev_x', created_at: '2026-04-14T11:00:00Z' }],
    [
      'UNKNOWN_DEPENDENCY',
      'mission_task_graph',
      {
        tasks: [
          {
            task_id: 't',
            role_type: 'worker',
            objective: 'o',
            depends_on: ['u'],
            required_capabilities: [],
            allowed_tools: [],
            required_data_scopes: [],
            success_criteria: [],
          },
        ],
      },
    ],
  ])('linkage: %s is found for one artifact as for many, and nothing is stored', async (code, name, changes) => {
    const store = shared()
    const mission = await storeMission(store)
    const bad = changed(mission[name], changes)
    const expected = { code: 'LINKAGE_VIOLATION', details: { errors: [{ code }] } }
    const before = await store.forTenant(TENANT).mission(String(mission.mission_envelope.mission_id))
    await expect(store.put(bad)).rejects.toMatchObject(expected)
    const good = changed(mission.writeback_proposal, { proposal_id: 'wb_new' })
    await expect(
      store.putMany([good, bad].filter(({ mission_id }) => mission_id === bad.mission_id)),
    ).rejects.toMatchObject(expected)
    expect(await store.forTenant(TENANT).mission(String(mission.mission_envelope.mission_id))).toEqual(before)
  })

  it('has the twelve tables', () => {
    expect(colonyCollections.map(({ name }) => name).sort()).toEqual(
      [
        ...Object.keys(tables),
        'colony_missions',
        'colony_tasks',
        'colony_task_graphs',
        'colony_writeback_applications',
      ].sort(),
    )
  })

  it.each(Object.entries(tables))(
    'database: %s refuses what lacks a column or refers to nothing',
    async (table, name) => {
      const store = shared()
      const mission = await storeMission(store)
      const collection = colonyCollections.find((each) => each.name === table)
      if (!collection) throw new Error(`no collection ${table}`)
      const { [name]: artifact } = mission
      const good = {
        ...artifact,
        [ARTIFACT_ID_FIELDS[name]]: 'new_1',
        tenant_id: TENANT,
        actor_id: 'a',
      } as unknown as Artifact<string>
      const put = (changes: Json) => store.storage.put(collection, { ...good, ...changes })
      for (const column of ['mission_id', 'tenant_id', 'actor_id', 'producer', 'created_at', ARTIFACT_ID_FIELDS[name]])
        await expect(put({ [column]: undefined }), column).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      const missing = { code: 'REFERENCE_VIOLATION' }
      await expect(put({ mission_id: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject(missing)
      if ('task_id' in artifact) await expect(put({ task_id: 'task_404' })).rejects.toMatchObject(missing)
      await put({})
    },
  )
}
