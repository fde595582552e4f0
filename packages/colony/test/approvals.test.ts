import { join } from 'node:path'
import type { PolicyRule } from '@minions/approvals'
import { describe, expect, test } from 'vitest'
import type { Draft, Roles } from '../src/index.ts'
import { createApp, envelope, folder, type TestApp } from './support/app.ts'
import { task } from './support/graphs.ts'

const rules: readonly PolicyRule[] = [
  { name: 'ask', action: 'ask', kind: 'tool', call: 'pay', reason: 'it costs money' },
  { name: 'data', action: 'ask', kind: 'data', call: 'crm.secret' },
]

/** One worker that reads, pays and reports, and another one that does neither. */
function payingRoles(log: string[], worker?: Roles['worker']): Roles {
  const tools = ['read', 'pay']
  const tasks = [
    { ...task('task_prompts', []), role_type: 'prompt_master' as const },
    { ...task('task_pay', ['task_prompts']), allowed_tools: tools },
    task('task_other', ['task_prompts']),
    task('task_after', ['task_pay']),
  ]
  return {
    planner: () => ({ tasks }),
    prompt_master: async ({ graph }, context) => {
      const packages: Draft<'prompt_package'>[] = []
      for (const each of graph.tasks.filter(({ task_id }) => task_id !== 'task_prompts')) {
        packages.push({
          ...(await context.prompt(each)),
          task_id: each.task_id,
          package_id: `pkg_${each.task_id}`,
          role_type: each.role_type,
          tool_scope: each.allowed_tools,
          model_route: 'none',
        })
      }
      return packages
    },
    worker:
      worker ??
      (async ({ task: { task_id } }, context) => {
        log.push(`begin ${task_id}`)
        if (task_id !== 'task_pay') return { output_text: task_id, confidence: 1 }
        const read = await context.tool('read', { what: 'price' })
        const paid = await context.tool('pay', { amount: 5 })
        return { output_text: `${JSON.stringify(read)} ${JSON.stringify(paid)}`, confidence: 1 }
      }),
    tools: {
      read: () => {
        log.push('read')
        return 5
      },
      pay: (parameters, { idempotencyKey }) => {
        log.push(`pay ${JSON.stringify(parameters)} ${idempotencyKey.split('/').slice(1).join('/')}`)
        return 'paid'
      },
    },
  }
}

async function pending(app: TestApp): Promise<string> {
  await expect.poll(async () => (await app.approvals.list({ status: 'pending' })).items.length).toBe(1)
  return (await app.approvals.list({ status: 'pending' })).items[0]?.approval_id ?? ''
}

describe('a mission with a call that must be approved', () => {
  test('waits with that task alone, and goes on where it was', async () => {
    const log: string[] = []
    const app = await createApp({ roles: payingRoles(log), approvals: { rules } })
    const mission = envelope()
    const { mission_id, tenant_id } = mission
    const missions = app.colony.forTenant(tenant_id)
    const running = app.colony.run(mission)
    const id = await pending(app)
    await expect.poll(async () => (await missions.status(mission_id)).completed).toBe(2)
    expect(await missions.status(mission_id)).toMatchObject({ status: 'running', active: true })
    const waiting = (await missions.status(mission_id)).tasks.find(({ status }) => status === 'waiting')
    expect(waiting).toMatchObject({ task_id: 'task_pay', approval: id })
    expect(await missions.toText(mission_id)).toContain(`waiting for approval ${id}`)
    expect(await app.approvals.get(id)).toMatchObject({
      tenant_id,
      asked_by: mission.actor_id,
      why: 'it costs money',
      call: { kind: 'tool', name: 'pay', arguments: { amount: 5 }, mission_id, task_id: 'task_pay', role: 'worker' },
    })
    expect(log.filter((line) => line.startsWith('pay'))).toEqual([])
    await app.approvals.approve(id, { by: 'ada' })
    expect(await running).toMatchObject({ status: 'completed', completed: 4 })
    expect(log.filter((line) => line === 'read')).toHaveLength(1)
    expect(log.filter((line) => line.startsWith('pay'))).toEqual(['pay {"amount":5} task_pay/1.1'])
    expect(await missions.replay(mission_id)).toMatchObject({ clean: true })
    await app.close()
  })

  test('does the call as it was changed by whoever approved it', async () => {
    const log: string[] = []
    const app = await createApp({ roles: payingRoles(log), approvals: { rules } })
    const mission = envelope()
    const running = app.colony.run(mission)
    await app.approvals.edit(await pending(app), { by: 'ada', arguments: { amount: 3 } })
    expect(await running).toMatchObject({ status: 'completed' })
    expect(log).toContain('pay {"amount":3} task_pay/1.1')
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })

  test('tells the role that it was rejected, who may live with it', async () => {
    const log: string[] = []
    const roles = payingRoles(log, async ({ task: { task_id } }, context) => {
      if (task_id !== 'task_pay') return { output_text: task_id, confidence: 1 }
      const outcome = await context.tool('pay', { amount: 5 }).catch((error) => error.code)
      return { output_text: String(outcome), confidence: 1 }
    })
    const app = await createApp({ roles, approvals: { rules } })
    const running = app.colony.run(envelope())
    await app.approvals.reject(await pending(app), { by: 'ada', reason: 'no' })
    const { status, artifacts } = await running
    expect(status).toBe('completed')
    expect(artifacts.map((each) => (each as { output_text?: string }).output_text)).toContain('APPROVAL_REJECTED')
    await app.close()
  })

  test('asks for data too', async () => {
    const roles = payingRoles([], async ({ task: { task_id } }, context) => {
      if (task_id === 'task_pay') await context.requireData('crm.secret')
      return { output_text: task_id, confidence: 1 }
    })
    const app = await createApp({
      roles: {
        ...roles,
        planner: () => ({
          tasks: [
            { ...task('task_library', []), role_type: 'librarian' as const },
            { ...task('task_pay', ['task_library']), required_data_scopes: ['crm.secret'] },
          ],
        }),
        librarian: () => [
          { task_id: 'task_pay', allowed_resource_families: ['crm.secret'], expires_at: '2099-01-01T00:00:00Z' },
        ],
      },
      approvals: { rules },
    })
    const running = app.colony.run(envelope())
    const id = await pending(app)
    expect(await app.approvals.get(id)).toMatchObject({ call: { kind: 'data', name: 'crm.secret' } })
    await app.approvals.approve(id, { by: 'ada' })
    expect(await running).toMatchObject({ status: 'completed' })
    await app.close()
  })

  test('waits without using its time or its capacity', async () => {
    const log: string[] = []
    let millis = Date.parse('2026-01-01T00:00:00Z')
    const app = await createApp({
      roles: payingRoles(log),
      approvals: { rules },
      clock: () => millis,
      concurrency: 1,
    })
    const mission = envelope({ time_budget_ms: 60_000 })
    const missions = app.colony.forTenant(mission.tenant_id)
    const running = app.colony.run(mission)
    const id = await pending(app)
    await expect.poll(async () => (await missions.status(mission.mission_id)).completed).toBe(2)
    millis += 3_600_000
    expect((await missions.status(mission.mission_id)).elapsed_ms).toBeLessThan(60_000)
    await app.approvals.approve(id, { by: 'ada' })
    expect(await running).toMatchObject({ status: 'completed' })
    await app.close()
  })

  test('survives that the app is closed while it waits, also when it was decided meanwhile', async () => {
    const storage = `sqlite:${join(folder, 'approval.db')}`
    const log: string[] = []
    const first = await createApp({ storage, roles: payingRoles(log), approvals: { rules } })
    const mission = envelope()
    const running = first.colony.run(mission).catch((error) => error.code)
    const id = await pending(first)
    await first.close()
    expect(await running).toBe('MISSION_INTERRUPTED')
    const other = await createApp({ storage, roles: payingRoles(log), approvals: { rules } })
    expect(await other.colony.status(mission.mission_id, { tenantId: mission.tenant_id })).toMatchObject({
      status: 'running',
      active: false,
    })
    await other.approvals.approve(id, { by: 'ada' })
    const result = await other.colony.forTenant(mission.tenant_id).resume(mission.mission_id)
    expect(result).toMatchObject({ status: 'completed' })
    expect(log.filter((line) => line === 'read')).toHaveLength(1)
    expect(log.filter((line) => line.startsWith('pay'))).toHaveLength(1)
    await other.close()
  })

  test('takes back what it asked for when it is cancelled', async () => {
    const app = await createApp({ roles: payingRoles([]), approvals: { rules } })
    const mission = envelope()
    const running = app.colony.run(mission)
    const id = await pending(app)
    await app.colony.forTenant(mission.tenant_id).cancel(mission.mission_id)
    expect(await running).toMatchObject({ status: 'cancelled' })
    await expect.poll(async () => (await app.approvals.get(id)).status).toBe('withdrawn')
    await app.close()
  })
})

describe('a mission that is paused', () => {
  test('while it waits goes on with resume, and its question stays', async () => {
    const log: string[] = []
    const app = await createApp({ roles: payingRoles(log), approvals: { rules } })
    const mission = envelope()
    const missions = app.colony.forTenant(mission.tenant_id)
    const running = app.colony.run(mission)
    const id = await pending(app)
    expect(await missions.pause(mission.mission_id)).toMatchObject({ status: 'paused', active: false, ended_at: null })
    expect(await running).toMatchObject({ status: 'paused' })
    expect((await missions.list({ status: 'paused' })).items).toHaveLength(1)
    expect(await app.approvals.get(id)).toMatchObject({ status: 'pending' })
    const resumed = missions.resume(mission.mission_id)
    await app.approvals.approve(id, { by: 'ada' })
    expect(await resumed).toMatchObject({ status: 'completed' })
    expect(log.filter((line) => line.startsWith('pay'))).toHaveLength(1)
    await app.close()
  })

  test('by another process finishes what runs there, and starts nothing more', async () => {
    const storage = `sqlite:${join(folder, 'pause.db')}`
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun = 0
    const roles: Roles = {
      planner: () => ({ tasks: [task('task_1', []), task('task_2', ['task_1'])] }),
      worker: async ({ task: { task_id } }) => {
        begun += 1
        await held
        return { output_text: task_id, confidence: 1 }
      },
    }
    const skills = { leaseMs: 400 }
    const [one, two] = await Promise.all([createApp({ storage, roles, skills }), createApp({ storage, roles, skills })])
    const mission = envelope()
    const running = one.colony.run(mission)
    await expect.poll(() => begun).toBe(1)
    expect(await two.colony.forTenant(mission.tenant_id).pause(mission.mission_id)).toMatchObject({ status: 'paused' })
    release()
    expect(await running).toMatchObject({ status: 'paused', completed: 1 })
    expect(begun).toBe(1)
    const resumed = await two.colony.forTenant(mission.tenant_id).resume(mission.mission_id)
    expect(resumed).toMatchObject({ status: 'completed', completed: 2 })
    expect(begun).toBe(2)
    await Promise.all([one.close(), two.close()])
  })

  test('can be cancelled', async () => {
    const app = await createApp({ roles: payingRoles([]), approvals: { rules } })
    const mission = envelope()
    const running = app.colony.run(mission)
    const id = await pending(app)
    const missions = app.colony.forTenant(mission.tenant_id)
    await missions.pause(mission.mission_id)
    await running
    expect(await missions.cancel(mission.mission_id)).toMatchObject({ status: 'cancelled' })
    expect(await app.approvals.get(id)).toMatchObject({ status: 'withdrawn' })
    await app.close()
  })
})

describe('a change that a mission proposes', () => {
  async function proposed() {
    const app = await createApp({ approvals: { rules: [{ name: 'changes', action: 'ask', kind: 'writeback' }] } })
    const mission = envelope()
    const { proposals } = await app.colony.run(mission)
    const [id = ''] = proposals.map(({ proposal_id }) => proposal_id)
    const scope = { missionId: mission.mission_id, tenantId: mission.tenant_id }
    const applied: unknown[] = []
    const apply = () => app.contracts.proposals.apply(id, ({ payload }) => void applied.push(payload), scope)
    return { app, mission, id, scope, applied, apply }
  }

  test('is asked for when it is to be applied, and applied once, as it was approved', async () => {
    const { app, mission, id, scope, applied, apply } = await proposed()
    const refused = await apply().catch((error) => error)
    expect(refused).toMatchObject({ code: 'APPROVAL_REQUIRED' })
    const approval = await app.approvals.get(refused.details.approval)
    expect(approval).toMatchObject({
      asked_by: mission.actor_id,
      call: { kind: 'writeback', name: 'lead_stage_update', mission_id: mission.mission_id, use: id },
    })
    const payload = { kanban_status: 'Qualified' }
    const edited = { ...approval.call.arguments, payload }
    await app.approvals.edit(approval.approval_id, { by: 'ada', arguments: edited })
    expect(await apply()).toMatchObject({ status: 'applied' })
    expect(applied).toEqual([payload])
    expect(await app.contracts.proposals.get(id, scope)).toMatchObject({
      decisions: [{ decision: 'allow', producer: 'ada', reason: `approval ${approval.approval_id}` }],
    })
    await expect(apply()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(applied).toHaveLength(1)
    await app.close()
  })

  test('is applied to the target that the approver chose, and not at all if that cannot be one', async () => {
    const { app, id, scope, apply } = await proposed()
    const refused = await apply().catch((error) => error)
    const { approval_id, call } = await app.approvals.get(refused.details.approval)
    const target = { target_entity_type: 'contact', target_entity_id: 'contact_9' }
    await app.approvals.edit(approval_id, { by: 'ada', arguments: { ...call.arguments, ...target } })
    const targets: unknown[] = []
    const handler = ({ target_entity_type, target_entity_id }: typeof target) =>
      void targets.push({ target_entity_type, target_entity_id })
    await app.contracts.proposals.apply(id, handler, scope)
    expect(targets).toEqual([target])
    await app.close()
    const other = await proposed()
    const again = await other.apply().catch((error) => error)
    const approval = again.details.approval
    await other.app.approvals.edit(approval, { by: 'ada', arguments: { ...call.arguments, target_entity_id: 7 } })
    await expect(other.apply()).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { approval } })
    expect(other.applied).toEqual([])
    expect(await other.app.contracts.proposals.get(other.id, other.scope)).toMatchObject({ decisions: [] })
    await other.app.close()
  })

  test('stays what it is when it was rejected, or decided on as a proposal', async () => {
    const { app, id, scope, applied, apply } = await proposed()
    const refused = await apply().catch((error) => error)
    await app.approvals.reject(refused.details.approval, { by: 'ada', reason: 'no' })
    await expect(apply()).rejects.toMatchObject({ code: 'APPROVAL_REJECTED' })
    expect(applied).toEqual([])
    const other = await proposed()
    await other.app.approvals.policy.publish([{ name: 'no', action: 'deny', kind: 'writeback' }])
    await other.app.contracts.proposals.approve(other.id, { by: 'ada', reason: 'fine', ...other.scope })
    await expect(other.apply()).rejects.toMatchObject({ code: 'POLICY_DENIED', details: { rule: 'no' } })
    await other.app.approvals.policy.publish([])
    expect(await other.apply()).toMatchObject({ status: 'applied' })
    expect(await app.contracts.proposals.get(id, scope)).toMatchObject({ decisions: [] })
    await Promise.all([app.close(), other.app.close()])
  })
})
