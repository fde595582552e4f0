import { expect, it } from 'vitest'
import { PolicyGate, type PolicyGateOptions } from '../../src/index.js'
import { task } from '../support/mission.js'
import { changed, newMission, storeMission, TENANT } from '../support/stored-mission.js'
import { type CreateBackend, context } from './context.js'

export function gateSuite(create: CreateBackend): void {
  const { open } = context(create)

  async function start(options: PolicyGateOptions = {}, leftOut: Parameters<typeof storeMission>[2] = []) {
    const store = await open()
    const mission = await storeMission(store, newMission(), leftOut)
    const missionId = String(mission.mission_envelope.mission_id)
    let time = Date.parse('2026-04-14T12:30:00Z')
    const gate = new PolicyGate(store, { clock: () => time, ...options })
    const decisions = async () =>
      (await store.forTenant(TENANT).list('policy_decision', { producer: 'policy_gate' })).items
    const worker = { mission_id: missionId, task_id: 'task_worker_01' }
    return { store, mission, missionId, gate, worker, decisions, at: (text: string) => (time = Date.parse(text)) }
  }

  it('allows what the scope of a package grants, and records it', async () => {
    const { gate, worker, decisions, missionId } = await start()
    const decision = await gate.assertToolAllowed(worker, 'crm_search')
    expect(decision).toMatchObject({
      mission_id: missionId,
      decision_type: 'tool_scope',
      subject: 'crm_search',
      decision: 'allow',
      task_id: 'task_worker_01',
      tenant_id: TENANT,
      created_at: '2026-04-14T12:30:00.000Z',
    })
    expect(await decisions()).toEqual([decision])
  })

  it('denies by default, and records that too', async () => {
    const { gate, worker, decisions } = await start()
    await expect(gate.assertToolAllowed(worker, 'root_shell')).rejects.toMatchObject({
      code: 'POLICY_DENIED',
      details: { verdict: 'NOT_IN_TASK', decisionId: expect.stringMatching(/^pol_/) },
    })
    expect(await decisions()).toMatchObject([{ decision: 'deny', subject: 'root_shell' }])
  })

  it('does not take its own answers for grounds', async () => {
    const { gate, worker, store, mission } = await start({}, ['prompt_package'])
    const answer = async () => (await gate.checkTool(worker, 'crm_search')).verdict.code
    expect(await answer()).toBe('NOT_GRANTED')
    await store.put(
      changed(mission.policy_decision, {
        decision_id: 'pol_g',
        subject: 'crm_search',
        created_at: '2026-04-14T12:20:00Z',
      }),
    )
    expect(await answer()).toBe('ALLOWED')
    expect(await answer()).toBe('ALLOWED')
  })

  it('honours the expiry of passes and decisions that deny', async () => {
    const { gate, worker, at, store, mission } = await start()
    at('2026-04-14T13:00:00Z')
    expect((await gate.checkTool(worker, 'crm_search')).verdict.code).toBe('PASS_EXPIRED')
    at('2026-04-14T12:59:59Z')
    expect((await gate.checkTool(worker, 'crm_search')).verdict.code).toBe('ALLOWED')
    const denial = { decision_id: 'pol_d', subject: 'crm_search', decision: 'deny', task_id: 'task_worker_01' }
    await store.put(changed(mission.policy_decision, denial))
    expect((await gate.checkTool(worker, 'crm_search')).verdict.code).toBe('DENIED_BY_DECISION')
  })

  it('answers for data scopes', async () => {
    const { gate, worker, at } = await start()
    expect(await gate.assertDataScopeAllowed(worker, 'crm.leads')).toMatchObject({ decision_type: 'data_scope' })
    await expect(gate.assertDataScopeAllowed(worker, 'hr.salaries')).rejects.toMatchObject({ code: 'POLICY_DENIED' })
    at('2026-04-15T00:00:00Z')
    await expect(gate.assertDataScopeAllowed(worker, 'crm.leads')).rejects.toMatchObject({
      details: { verdict: 'PASS_EXPIRED' },
    })
  })

  it('denies tasks that the current graph does not have, other tenants, and unknown missions', async () => {
    const { gate, worker, store, mission, missionId, decisions } = await start()
    await expect(gate.assertToolAllowed({ ...worker, tenant_id: 'tenant_other' }, 'crm_search')).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    })
    const unknown = { mission_id: '00000000-0000-4000-8000-000000000000', task_id: 'task_worker_01' }
    expect(await gate.checkTool(unknown, 'crm_search')).toMatchObject({ verdict: { allowed: false } })
    expect(await decisions()).toEqual([])
    const later = { tasks: [task('task_other')], created_at: '2026-04-14T12:10:00Z' }
    await store.put(changed(mission.mission_task_graph, later))
    expect((await gate.checkTool(worker, 'crm_search')).verdict.code).toBe('NOT_GRANTED')
    expect((await gate.checkTool({ mission_id: missionId, task_id: 'task_404' }, 'crm_search')).verdict.allowed).toBe(
      false,
    )
    expect(await decisions()).toMatchObject([{ decision: 'deny' }, { decision: 'deny' }])
  })

  it('finds the mission of a task that only one has, and grants nothing where several have it', async () => {
    const { gate, store, worker } = await start()
    const alone = { task_id: 'task_worker_01' }
    expect((await gate.checkTool(alone, 'crm_search')).verdict.allowed).toBe(true)
    await storeMission(store)
    expect((await gate.checkTool(alone, 'crm_search')).verdict.allowed).toBe(false)
    expect((await gate.checkTool(worker, 'crm_search')).verdict.allowed).toBe(true)
  })

  it('follows the configuration', async () => {
    const { gate, worker } = await start({ policy: { toolsBySensitivity: { internal_business: ['external_search'] } } })
    expect((await gate.checkTool(worker, 'crm_search')).verdict.code).toBe('SENSITIVITY')
    expect((await gate.checkTool(worker, 'external_search')).verdict.code).toBe('ALLOWED')
  })

  it('takes part in a transaction', async () => {
    const { gate, worker, store, decisions } = await start()
    const failing = store.storage.transaction(async (tx) => {
      await gate.with(tx).assertToolAllowed(worker, 'crm_search')
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    expect(await decisions()).toEqual([])
  })
}
