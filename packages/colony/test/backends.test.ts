import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { canonicalJson, type JsonValue } from '@minions/core/json'
import type { StorageBackend } from '@minions/core/storage'
import { postgresStorage } from '@minions/storage-postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPostgres } from '../../storage-postgres/test/support/postgres.ts'
import type { TestDatabase } from '../../storage-postgres/test/support/server.ts'
import { deterministicRoles, exampleMission, type Roles } from '../src/index.ts'
import { createApp, envelope, folder } from './support/app.ts'

const { mission_id, tenant_id } = exampleMission.envelope
const clock = () => '2026-04-14T12:00:01.000Z'

let database: TestDatabase
beforeAll(async () => {
  database = await createPostgres()
})
afterAll(() => database.drop())

const backends: Record<string, () => StorageBackend | string> = {
  memory: () => 'memory:',
  sqlite: () => `sqlite:${join(folder, 'example.db')}`,
  fs: () => `fs:${join(folder, 'example')}`,
  postgres: () => postgresStorage({ connectionString: database.url, schema: `t_${randomUUID()}`, ...database.options }),
}

/** One call, and everything that is stored of the mission afterwards. */
async function runExample(storage: StorageBackend | string) {
  const app = await createApp({ storage, clock })
  try {
    const result = await app.colony.run(exampleMission.envelope)
    const missions = app.colony.forTenant(tenant_id)
    const stored = await app.contracts.store.forTenant(tenant_id).mission(mission_id)
    return { result, stored, status: await missions.status(mission_id), replay: await missions.replay(mission_id) }
  } finally {
    await app.close()
  }
}

describe('the example mission', () => {
  let expected: Awaited<ReturnType<typeof runExample>>
  beforeAll(async () => {
    expected = await runExample('memory:')
  })

  test('gives a reviewed result and proposals', () => {
    expect(expected.result).toMatchObject({ status: 'completed', completed: 9, total: 9, error: null })
    expect(expected.result.review).toMatchObject({ review_status: 'approved', parent_refs: ['agg_task_aggregate'] })
    expect(expected.result.proposals.map((each) => each.target_entity_id)).toEqual(['lead_123', 'lead_317'])
    const kinds = new Set(expected.stored.map(({ schema_name }) => schema_name))
    expect(kinds.size).toBe(10)
  })

  test('has prompt packages that name the version of their prompt', () => {
    const packages = expected.stored.filter(({ schema_name }) => schema_name === 'prompt_package')
    expect(packages).toHaveLength(8)
    expect(packages[0]).toMatchObject({ template_version: 'v0', tool_scope: expect.any(Array) })
    const worker = packages.find((each) => 'task_id' in each && each.task_id === 'task_worker_01')
    expect(worker).toMatchObject({ template_id: 'colony-prompt-worker', role_type: 'worker' })
    expect((worker as { task_prompt?: string }).task_prompt).toContain('Assess lead lead_123')
  })

  test.each(Object.keys(backends))('gives the same artifacts on %s, and a clean replay', async (name) => {
    const { result, stored, status, replay } = await runExample((backends[name] as () => StorageBackend | string)())
    expect(result.artifacts).toEqual(expected.result.artifacts)
    const withoutGateIds = (artifacts: typeof stored) =>
      artifacts
        .map((each) => (each.schema_name === 'policy_decision' ? { ...each, decision_id: '' } : each))
        .map((each) => canonicalJson(each as unknown as JsonValue))
        .sort()
    expect(withoutGateIds(stored)).toEqual(withoutGateIds(expected.stored))
    expect(status.status).toBe('completed')
    expect(replay).toEqual({ mission_id, clean: true, checked: result.artifacts.length, difference: undefined })
  })
})

test.each(Object.keys(backends))('what roles make of JSON as text is the same when replayed on %s', async (name) => {
  const roles = deterministicRoles()
  const worker: Roles['worker'] = async (input, context) => {
    const lead = await context.tool('crm_search', { lead_id: 'lead_123', also: { z: 1, a: 2 } })
    const asked = await context.ask({ b: 1, a: 2 }, async () => ({ value: { zz: { b: 1, a: 1 }, a: 1 }, tokens: 1 }))
    const { task, envelope: mission, graph, passes } = input
    const seen = [lead, asked, task, mission, graph, passes, input.package, input.read('research_artifact')]
    return { output_text: JSON.stringify(seen), confidence: 1, structured_output: { z: 1, b: { d: 1, c: 1 } } }
  }
  const aggregator: Roles['aggregator'] = async (input, context) => {
    const draft = await roles.aggregator(input, context)
    return { ...draft, summary: JSON.stringify(input.read('worker_result')) }
  }
  const tools = {
    ...roles.tools,
    crm_search: async () => ({ zone: { y: 1, x: 1 }, id: 'lead_123', about: [{ b: 1, a: 1 }] }),
  }
  const storage = (backends[name] as () => StorageBackend | string)()
  const app = await createApp({ storage, clock, roles: { ...roles, worker, aggregator, tools } })
  try {
    const mission = envelope({ context_refs: { lead_ids: ['lead_123'] } })
    expect(await app.colony.run(mission)).toMatchObject({ status: 'completed' })
    const report = await app.colony.forTenant(tenant_id).replay(mission.mission_id)
    expect(report.difference).toBeUndefined()
    expect(report.clean).toBe(true)
  } finally {
    await app.close()
  }
})
