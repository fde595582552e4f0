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
