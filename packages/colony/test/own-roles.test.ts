import { describe, expect, test } from 'vitest'
import { defineRole, deterministicRoles, exampleRoles, type Roles } from '../src/index.ts'
import { createApp, envelope } from './support/app.ts'
import { task } from './support/graphs.ts'

const translator = defineRole('translator', {
  reads: ['worker_result'],
  returns: 'worker_result',
  perform: ({ read, task: { task_id } }) => ({
    output_text: read('worker_result')
      .map(({ output_text }) => output_text.toUpperCase())
      .join(' '),
    structured_output: { by: task_id },
    confidence: 1,
  }),
})

const tasks = [
  task('task_write', []),
  { ...task('task_translate', ['task_write']), role_type: 'translator' },
  { ...task('task_prompts', []), role_type: 'prompt_master' as const },
]

const roles: Roles = {
  ...exampleRoles(),
  planner: () => ({
    tasks: [
      tasks[2] as never,
      ...tasks.slice(0, 2).map((each) => ({ ...each, depends_on: ['task_prompts', ...each.depends_on] })),
    ],
  }),
  worker: () => ({ output_text: 'guten Tag', confidence: 1 }),
}

describe('a role of one’s own', () => {
  test('does its tasks, gets prompts, and is replayed', async () => {
    const app = await createApp({ roles: [roles, translator] })
    const mission = envelope()
    const result = await app.colony.run(mission)
    expect(result).toMatchObject({ status: 'completed', completed: 3 })
    const translated = result.artifacts.find(
      (each) => 'task_id' in each && each.task_id === 'task_translate' && 'result_id' in each,
    )
    expect(translated).toMatchObject({ output_text: 'GUTEN TAG', producer: 'translator_agent' })
    const missions = app.colony.forTenant(mission.tenant_id)
    expect(await missions.toText(mission.mission_id)).toContain('translator completed')
    expect(await missions.toMermaid(mission.mission_id)).toContain('translator')
    expect(await missions.replay(mission.mission_id)).toMatchObject({ clean: true })
    expect((await app.skills.executions()).map(({ skill_name }) => skill_name)).toContain('colony-translator')
    await app.close()
  })

  test('is there only in apps that were given it', async () => {
    const app = await createApp({ roles })
    const result = await app.colony.run(envelope())
    expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('role_type must be one of') })
    await app.close()
  })

  test('keeps to its contract', async () => {
    const reader = defineRole('translator', {
      reads: ['research_artifact'],
      returns: 'worker_result',
      perform: ({ read }) => {
        const text = read('worker_result' as never).length
        return { output_text: String(text), confidence: 1 }
      },
    })
    const wrong = defineRole('translator', {
      returns: 'worker_result',
      perform: () => ({ schema_name: 'review_packet', output_text: '', confidence: 1 }) as never,
    })
    for (const [role, error] of [
      [reader, 'reads research_artifact, not'],
      [wrong, 'may only return worker_result'],
    ] as const) {
      const app = await createApp({ roles: [roles, role] })
      expect(await app.colony.run(envelope())).toMatchObject({
        status: 'failed',
        error: expect.stringContaining(error),
      })
      await app.close()
    }
  })

  test.each([
    ['a name that cannot be one', 'Trans Lator', { returns: 'worker_result', perform: () => [] }],
    ['an unknown kind', 'translator', { returns: 'poem', perform: () => [] }],
    ['no function', 'translator', { returns: 'worker_result' }],
  ])('is refused with %s', (_, name, definition) => {
    expect(() => defineRole(name, definition as never)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  test('cannot take the place of one of ours', async () => {
    const worker = defineRole('worker', { returns: 'worker_result', perform: () => [] })
    await expect(async () => createApp({ roles: [roles, worker] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('roles that need no model', () => {
  test('say nothing of leads in a mission that is about something else', async () => {
    const app = await createApp({ roles: deterministicRoles() })
    const mission = envelope({
      mission_type: 'refund',
      user_goal: 'Refund order 17.',
      normalized_goal: 'Refund order_17 in full.',
      context_refs: { order_ids: ['order_17', 'order_18'] },
    })
    const result = await app.colony.run(mission)
    expect(result).toMatchObject({ status: 'completed', completed: 5, review: { review_status: 'approved' } })
    expect(JSON.stringify(result.artifacts)).not.toMatch(/lead|prospect|crm|waterfront/i)
    expect(JSON.stringify(result.artifacts)).toContain('order_18')
    expect(await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)).toMatchObject({ clean: true })
    await app.close()
  })
})

test('a planner hears of all its mistakes at once', async () => {
  const planner: Roles['planner'] = () => ({
    tasks: [
      { ...task('task_a', ['task_b', 'task_x']), role_type: 'wizard' },
      { ...task('task_b', ['task_a']), objective: '' },
      task('task_b', []),
    ],
  })
  const app = await createApp({ roles: { ...exampleRoles(), planner } })
  const { status, error } = await app.colony.run(envelope())
  expect(status).toBe('failed')
  for (const mistake of ['role_type', 'objective', 'task_x', 'earlier task', 'cycle']) expect(error).toContain(mistake)
  await app.close()
})
