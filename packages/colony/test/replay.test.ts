import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { deterministicRoles, exampleMission, firstDifference, type Roles } from '../src/index.ts'
import { createApp, envelope, folder } from './support/app.ts'

const { tenant_id, mission_id } = exampleMission.envelope

test('a changed worker answer is found at its pointer, and nothing is asked or written', async () => {
  const storage = `sqlite:${join(folder, 'replay.db')}`
  const first = await createApp({ storage })
  await first.colony.run(exampleMission.envelope)
  await first.close()

  const roles = deterministicRoles()
  const tool = vi.fn()
  const changed: Roles = {
    ...roles,
    worker: async (input, context) => {
      const draft = await roles.worker(input, context)
      if (input.task.task_id !== 'task_worker_03' || Array.isArray(draft)) return draft
      const { structured_output } = draft as { structured_output?: object }
      return { ...draft, structured_output: { ...structured_output, priority: 'low' } } as typeof draft
    },
    tools: { crm_search: tool, local_property_rag: tool, external_search: tool },
  }
  const second = await createApp({ storage, roles: changed })
  const before = await second.contracts.store.forTenant(tenant_id).mission(mission_id)
  const report = await second.colony.forTenant(tenant_id).replay(mission_id)
  expect(report.clean).toBe(false)
  expect(report.difference).toMatchObject({
    task_id: 'task_worker_03',
    artifact: { schema_name: 'worker_result', id: 'wrk_task_worker_03' },
    pointer: '/structured_output/priority',
    stored: 'high',
    derived: 'low',
  })
  expect(tool).not.toHaveBeenCalled()
  expect(await second.contracts.store.forTenant(tenant_id).mission(mission_id)).toEqual(before)
  await second.close()
})

test('a role that asks for something new cannot be replayed, and that is said', async () => {
  let extra = false
  const roles = deterministicRoles()
  const worker: Roles['worker'] = async (input, context) => {
    if (extra) await context.ask({ question: 'new' }, async () => ({ value: 'never', tokens: 1 }))
    return roles.worker(input, context)
  }
  const app = await createApp({ roles: { ...roles, worker } })
  const mission = envelope()
  await app.colony.run(mission)
  const missions = app.colony.forTenant(tenant_id)
  expect(await missions.replay(mission.mission_id)).toMatchObject({ clean: true })
  extra = true
  const { difference } = await missions.replay(mission.mission_id)
  expect(difference).toMatchObject({ artifact: { schema_name: 'worker_result' }, pointer: '' })
  expect(difference?.message).toContain('something other than was recorded')
  await app.close()
})

test('what a tool threw is told in the same way when it is replayed', async () => {
  const roles = deterministicRoles()
  const told: unknown[] = []
  const worker: Roles['worker'] = async (_, context) => {
    for (const tool of ['crm_search', 'external_search']) {
      await context.tool(tool).catch(({ name, code, message, details }) => told.push({ name, code, message, details }))
    }
    return { output_text: JSON.stringify(told.slice(-2)), confidence: 1 }
  }
  const tools = { ...roles.tools, crm_search: () => Promise.reject(new TypeError('half a \ud83d and a \0')) }
  const app = await createApp({ roles: { ...roles, worker, tools } })
  const mission = envelope({ context_refs: { lead_ids: ['lead_123'] } })
  expect(await app.colony.run(mission)).toMatchObject({ status: 'completed' })
  expect(await app.colony.forTenant(tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
  expect(told[0]).toMatchObject({ name: 'MinionsError', code: 'TOOL_FAILED', message: 'half a \ufffd and a \ufffd' })
  expect(told[1]).toMatchObject({ code: 'POLICY_DENIED', details: { verdict: 'NOT_IN_TASK' } })
  expect(told.slice(2)).toEqual(told.slice(0, 2))
  await app.close()
})

test('differences are found by name and position', () => {
  expect(firstDifference({ a: 1 }, { a: 1 })).toBeUndefined()
  expect(firstDifference({ b: 1, a: [1, 2] }, { a: [1, 3], b: 2 })?.pointer).toBe('/a/1')
  expect(firstDifference([1], [1, 2])).toEqual({ pointer: '/1', stored: undefined, derived: 2 })
  expect(firstDifference({ 'a/b': null }, { 'a/b': false })?.pointer).toBe('/a~1b')
  const hostile = JSON.parse('{"__proto__":{"x":1}}')
  expect(firstDifference(hostile, {})?.pointer).toBe('/__proto__')
})
