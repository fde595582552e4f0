import { WriteBatch } from '@minions/core/storage'
import { expect, it } from 'vitest'
import { type Artifact, type MissionEnvelope, type MissionLedger, PolicyGate } from '../../src/index.js'
import type { Json } from '../support/edit.js'
import { type Mission, task } from '../support/mission.js'
import { changed, newMission, storeMission } from '../support/stored-mission.js'
import { type CreateBackend, context } from './context.js'

const LATE = '2026-04-14T13:30:00Z'

export function ledgerSuite(create: CreateBackend): void {
  const { open } = context(create)

  async function start(leftOut: Parameters<typeof storeMission>[2] = []) {
    const store = await open()
    const mission = await storeMission(store, newMission(), leftOut)
    const missionId = String(mission.mission_envelope.mission_id)
    const ledger = (await store.ledger(missionId)) as MissionLedger
    const put = async (artifact: Artifact<string>) => {
      const plan = await ledger.plan([artifact])
      const batch = new WriteBatch()
      plan.addTo(batch, { checked: true })
      await store.storage.write(batch)
      plan.stored()
      return plan
    }
    return { store, mission, missionId, ledger, put }
  }

  it('adds to a mission by a ledger, one kind after the other', async () => {
    const store = await open()
    const mission = newMission()
    await store.put(changed(mission.mission_envelope, {}))
    const missionId = String(mission.mission_envelope.mission_id)
    const ledger = (await store.ledger(missionId)) as MissionLedger
    for (const artifact of Object.values(mission) as Json[]) {
      const batch = new WriteBatch()
      const plan = await ledger.plan([changed(artifact, {})])
      plan.addTo(batch, { checked: true })
      await store.storage.write(batch)
      plan.stored()
      const [result] = plan.results
      expect(await store.put(changed(artifact, {}))).toMatchObject({ created: false, artifact: result?.artifact })
    }
    expect(ledger.graphRevision).toBe(1)
  })

  it('stores a new mission by its ledger, once', async () => {
    const store = await open()
    const mission = newMission()
    const given = changed(mission.mission_envelope, {}) as MissionEnvelope
    const [first, second] = [store.newMission(given), store.newMission(given)]
    const write = async ({ plan }: typeof first) => {
      const batch = new WriteBatch()
      plan.addTo(batch, { checked: true })
      await store.storage.write(batch)
      plan.stored()
      return plan.results[0]?.artifact
    }
    const stored = await write(first)
    await expect(write(second)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await store.put(given)).toMatchObject({ created: false, artifact: stored })
    const graph = await first.ledger.plan([changed(mission.mission_task_graph, {})])
    expect(graph.results).toMatchObject([{ created: true, revision: 1 }])
    for (const invalid of [mission.mission_task_graph, {}, null]) {
      const refused = () => store.newMission(invalid as never)
      expect(refused).toThrow(expect.objectContaining({ code: expect.stringMatching(/INVALID_ARTIFACT|LINKAGE/) }))
    }
  })

  it.each<[string, keyof Mission, Json, keyof Mission, Json]>([
    [
      'a result after the last pass of its task expired',
      'librarian_pass',
      { pass_id: 'pass_x', task_id: 'task_worker_01', expires_at: '2026-04-14T13:00:00Z' },
      'worker_result',
      { result_id: 'wrk_x', created_at: LATE },
    ],
    [
      'a second review of a packet',
      'review_packet',
      { packet_id: 'rev_x' },
      'review_packet',
      { packet_id: 'rev_y', created_at: LATE },
    ],
    [
      'a package for a role that the task no longer has',
      'mission_task_graph',
      { created_at: LATE, tasks: [task('task_worker_01', { role_type: 'researcher' })] },
      'prompt_package',
      { package_id: 'pkg_x' },
    ],
    [
      'other content under an id that is taken',
      'worker_result',
      { result_id: 'wrk_x', confidence: 0.1 },
      'worker_result',
      { result_id: 'wrk_x', confidence: 0.2 },
    ],
  ])('refuses by a ledger what came to be wrong elsewhere: %s', async (_, kind, changes, refused, edits) => {
    const { store, mission, ledger, put } = await start(['review_packet', 'librarian_pass'])
    const artifact = changed(mission[refused], edits)
    await ledger.plan([artifact])
    await store.put(changed(mission[kind], changes))
    await expect(put(artifact)).rejects.toMatchObject({ code: 'CONFLICT' })
    await ledger.refresh()
    const { code } = await store.put(artifact).then(
      () => ({ code: 'none' }),
      (error: { code: string }) => error,
    )
    await expect(put(artifact)).rejects.toMatchObject({ code })
    expect(code).not.toBe('none')
  })

  it('sees by a ledger what came from elsewhere', async () => {
    const { store, mission, put } = await start(['aggregation_packet', 'review_packet'])
    await store.put(changed(mission.worker_result, { result_id: 'wrk_x' }))
    const evidence_matrix = [{ claim: 'x', support_refs: ['wrk_x'] }]
    const plan = await put(changed(mission.aggregation_packet, { evidence_matrix }))
    expect(plan.results).toMatchObject([{ created: true }])
  })

  it.each<[string, keyof Mission, Json, string]>([
    ['a package', 'prompt_package', { tool_scope: [] }, 'NOT_IN_SCOPE'],
    ['a pass', 'librarian_pass', { task_id: 'task_worker_01', expires_at: '2026-04-14T12:01:00Z' }, 'PASS_EXPIRED'],
    ['a decision on the task', 'policy_decision', { decision_id: 'pol_t', task_id: 'task_worker_01' }, 'ALLOWED'],
    ['a decision on the mission', 'policy_decision', { decision_id: 'pol_m' }, 'ALLOWED'],
    ['a graph without the task', 'mission_task_graph', { tasks: [task('task_other')] }, 'NOT_GRANTED'],
    [
      'a graph in which it has fewer tools',
      'mission_task_graph',
      { tasks: [task('task_worker_01', { allowed_tools: [] })] },
      'NOT_IN_TASK',
    ],
  ])('lets the gate answer anew after %s', async (_, kind, changes, expected) => {
    const { store, mission, missionId } = await start(['prompt_package', 'librarian_pass', 'policy_decision'])
    const gate = new PolicyGate(store, { clock: () => Date.parse('2026-04-14T12:30:00Z') })
    const ask = async () => {
      const ref = { mission_id: missionId, task_id: 'task_worker_01' }
      return (await gate.checkTool(ref, 'external_search')).verdict.code
    }
    expect(await ask()).toBe('NOT_GRANTED')
    if (expected === 'NOT_GRANTED') {
      await store.put(changed(mission.policy_decision, {}))
      expect(await ask()).toBe('ALLOWED')
    }
    await store.put(changed(mission[kind], changes))
    expect(await ask()).toBe(expected)
    expect(await ask()).toBe(expected)
  })
}
