import type { ChatMessage } from '@minions/workspace'
import { describe, expect, test, vi } from 'vitest'
import { deterministicRoles, modelRoles, type RoleModel, type Roles } from '../src/index.ts'
import { createApp, envelope } from './support/app.ts'
import { task } from './support/graphs.ts'

const plan = {
  tasks: [
    task('work'),
    task('draft', ['work'], { role_type: 'aggregator' }),
    task('check', ['draft'], { role_type: 'reviewer' }),
  ],
}

/** Answers by what the schema asks for. */
function answerTo(schema: object): object {
  const { properties } = schema as { properties: object }
  if ('tasks' in properties) return plan
  if ('output_text' in properties) return { output_text: 'fine', confidence: 0.9 }
  if ('summary' in properties) {
    return { summary: 's', evidence_matrix: [{ claim: 'c', support_refs: ['wrk_work'] }], recommended_output: {} }
  }
  return { review: { review_status: 'approved', approved_output: { ok: true } }, proposals: [] }
}

describe('roles that a model plays', () => {
  test('run a mission, and a replay calls no model', async () => {
    const model = vi.fn<RoleModel>((_messages, { schema }) => ({
      text: `\`\`\`json\n${JSON.stringify(answerTo(schema))}\n\`\`\``,
      usage: { total_tokens: 10 },
    }))
    const app = await createApp({ roles: modelRoles({ model }) })
    const mission = envelope()
    const result = await app.colony.run(mission)
    expect(result).toMatchObject({ status: 'completed', completed: 3, tokens_used: 40 })
    expect(model).toHaveBeenCalledTimes(4)
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({
      clean: true,
      checked: 4,
    })
    expect(model).toHaveBeenCalledTimes(4)
    await app.close()
  })

  test('say what is missing where the app has no models', async () => {
    const app = await createApp({ roles: modelRoles() })
    const { status, error } = await app.colony.run(envelope())
    expect(status).toBe('failed')
    expect(error).toContain('@minions/models')
    await app.close()
  })

  test('ask again with the errors, a bounded number of times', async () => {
    const asked: (readonly ChatMessage[])[] = []
    const answers = ['no json', { output_text: 'x', confidence: 7 }, { output_text: 'x', confidence: 0.7 }]
    const model: RoleModel = (messages, { schema }) => {
      if (!('output_text' in (schema as { properties: object }).properties)) return answerTo(schema)
      asked.push(messages)
      return answers[asked.length - 1] as object
    }
    const roles: Roles = { ...modelRoles({ model, maxAttempts: 3 }), planner: () => ({ tasks: [task('work')] }) }
    const app = await createApp({ roles })
    const mission = envelope()
    const result = await app.colony.run(mission)
    expect(result.status).toBe('completed')
    expect(asked.map(({ length }) => length)).toEqual([2, 4, 6])
    expect(asked[2]?.at(-1)?.content).toContain('/confidence')
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    const stubborn = await createApp({
      roles: { ...roles, ...modelRoles({ model: () => 'never', maxAttempts: 2 }), planner: roles.planner as never },
    })
    const failed = await stubborn.colony.run(envelope())
    expect(failed.tasks[0]).toMatchObject({ status: 'failed' })
    expect(failed.tasks[0]?.error).toContain('2 attempts')
    await app.close()
    await stubborn.close()
  })

  const foreign = '7c1d3a52-4e0b-4c7e-9a61-2f5b8e4d1c90'
  test.each<[string, (good: object) => unknown, string]>([
    ['text that is no JSON', () => '{ output', 'the answer'],
    ['words around JSON', (good) => `Here it is: ${JSON.stringify(good)}`, 'the answer'],
    ['another artifact', () => ({ schema_name: 'policy_decision', decision: 'allow' }), 'may only return'],
    ['the id of another mission', (good) => ({ ...good, mission_id: foreign }), '/mission_id'],
    ['another tenant', (good) => JSON.stringify({ ...good, tenant_id: 'tenant_other' }), '/tenant_id'],
    ['another task', (good) => ({ ...good, task_id: 'task_worker_01' }), '/task_id'],
    ['a list', () => '[]', 'the answer'],
    ['nothing', () => undefined, 'the answer'],
    ['half a character', () => '\ud83d', 'the answer'],
    [
      'a reference to nothing',
      (good) => ({ ...good, evidence_matrix: [{ claim: 'c', support_refs: ['wrk_0'] }] }),
      'wrk_0',
    ],
  ])('ask again after %s', async (_, bad, complaint) => {
    const role = complaint === 'wrk_0' ? 'aggregator' : 'worker'
    const model = vi.fn<RoleModel>((messages, { schema }) =>
      messages.length === 2 ? (bad(answerTo(schema)) as object) : answerTo(schema),
    )
    const roles: Roles = {
      planner: () => ({ tasks: plan.tasks.slice(0, 2) }),
      worker: () => ({ output_text: '', confidence: 1 }),
      aggregator: () => ({ summary: '', evidence_matrix: [], recommended_output: {} }),
      [role]: modelRoles({ model })[role],
    }
    const app = await createApp({ roles })
    const mission = envelope()
    expect(await app.colony.run(mission)).toMatchObject({ status: 'completed' })
    expect(model).toHaveBeenCalledTimes(2)
    expect(model.mock.calls[1]?.[0].at(-1)?.content).toContain(complaint)
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    expect(model).toHaveBeenCalledTimes(2)
    await app.close()
  })

  test('say where in the answer a problem is', async () => {
    const asked: string[] = []
    const model: RoleModel = (messages, { schema }) => {
      const isReview = 'review' in (schema as { properties: object }).properties
      if (messages.length > 2) asked.push(messages.at(-1)?.content ?? '')
      if (messages.length > 2 && isReview) return answerTo(schema)
      const proposals = messages.length > 2 ? [] : [{ target_entity_type: 5 }]
      if (isReview) return { review: { review_status: 'good' }, proposals }
      return { artifacts: messages.length > 2 ? [] : [{ task_id: 'work' }] }
    }
    const { librarian, reviewer } = modelRoles({ model }) as Required<Roles>
    const planner = () => ({
      tasks: [
        task('books', [], { role_type: 'librarian' }),
        ...plan.tasks.map((each) => ({ ...each, depends_on: [...each.depends_on, 'books'] })),
      ],
    })
    const roles: Roles = { ...deterministicRoles(), planner, librarian, reviewer }
    const app = await createApp({ roles })
    expect(await app.colony.run(envelope())).toMatchObject({ status: 'completed' })
    expect(asked[0]).toContain('- /artifacts/0/expires_at: is required')
    expect(asked[1]).toContain('- /review/review_status: ')
    expect(asked[1]).toContain('- /proposals/0/target_entity_type: ')
    await app.close()
  })

  test('take JSON out of a block with words around it, and give artifacts their own ids', async () => {
    const model: RoleModel = () =>
      'Sure.\n\n```json\n{ "output_text": "use ```", "confidence": 1, "result_id": "wrk_001" }\n```\nAnything else?'
    const roles: Roles = { ...modelRoles({ model }), planner: () => ({ tasks: [task('a'), task('b')] }) }
    const app = await createApp({ roles })
    const { status, artifacts } = await app.colony.run(envelope())
    expect(status).toBe('completed')
    expect(artifacts.slice(1)).toMatchObject([{ result_id: 'wrk_a' }, { result_id: 'wrk_b', output_text: 'use ```' }])
    await app.close()
  })

  test('fail when the model throws, and end with the time budget when it never answers', async () => {
    const planner = () => ({ tasks: [task('work')] })
    const broken = await createApp({
      roles: { ...modelRoles({ model: () => Promise.reject('no such model') }), planner },
    })
    expect((await broken.colony.run(envelope())).tasks[0]).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no such model'),
    })
    const silent = await createApp({ roles: { ...modelRoles({ model: () => new Promise(() => {}) }), planner } })
    expect(await silent.colony.run(envelope({ time_budget_ms: 50 }))).toMatchObject({ status: 'budget_exceeded' })
    await broken.close()
    await silent.close()
  })

  test('a recorded answer is used again after an interruption, and a stream is read to its end', async () => {
    let calls = 0
    const model: RoleModel = async function* () {
      calls += 1
      yield '{"output_text":"st'
      yield { text: 'reamed","confidence":1}', usage: { input_tokens: 3, output_tokens: 4 } }
    }
    const roles: Roles = { ...modelRoles({ model }), planner: () => ({ tasks: [task('work')] }) }
    const app = await createApp({ roles })
    const result = await app.colony.run(envelope())
    expect(result).toMatchObject({ status: 'completed', tokens_used: 7 })
    expect(calls).toBe(1)
    await app.close()
  })

  test('mix with others, and use what passes recommend', async () => {
    const model = vi.fn<RoleModel>(() => ({ output_text: 'from a model', confidence: 0.5 }))
    const roles: Roles = { ...deterministicRoles(), worker: modelRoles({ model }).worker as never }
    const app = await createApp({ roles })
    const result = await app.colony.run(envelope())
    expect(result.status).toBe('completed')
    const [messages] = model.mock.calls[0] ?? []
    expect(messages?.[0]?.content).toContain('worker')
    expect(messages?.[1]?.content).toContain('"tool":"crm_search"')
    await app.close()
  })
})
