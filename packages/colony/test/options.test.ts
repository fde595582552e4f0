import { describe, expect, test } from 'vitest'
import { colony, modelRoles, type RoleContext, type Roles } from '../src/index.ts'
import { createApp, envelope } from './support/app.ts'
import { done, task, workersFor } from './support/graphs.ts'

const refused = expect.objectContaining({ name: 'MinionsError', code: 'VALIDATION_FAILED' })

describe('what cannot work is refused with what is wrong', () => {
  test.each([
    ['no options', undefined],
    ['null', null],
    ['no roles', {}],
    ['a role that is no function', { roles: { worker: 5 } }],
    ['a role that does not exist', { roles: { wroker: () => ({}) } }],
    ['a tool that is no function', { roles: {}, tools: { search: 'x' } }],
    ['a tool of the roles that is no function', { roles: { tools: { search: 1 } } }],
    ['a priority that is no function', { roles: {}, priority: 5 }],
  ])('by the plugin: %s', (_, options) => {
    expect(() => colony(options as never)).toThrow(refused)
  })

  test.each([undefined, null, {}])('by the plugin, which says what %j lacks', (options) => {
    expect(() => colony(options as never)).toThrow(/needs `roles`: handlers by role, such as `deterministicRoles\(\)`/)
  })

  test.each([{ model: 'x' }, { model: () => '', maxAttempts: 0 }, { model: () => '', maxAttempts: NaN }])(
    'by modelRoles: %o',
    (options) => {
      expect(() => modelRoles(options as never)).toThrow(refused)
    },
  )

  test('by a run, before anything is stored', async () => {
    const app = await createApp()
    const mission = envelope()
    const options = [
      null,
      5,
      { concurrency: 0 },
      { concurrency: NaN },
      { maxAttempts: 0.5 },
      { onFailure: 'hope' },
      { signal: {} },
    ]
    for (const each of options) await expect(app.colony.run(mission, each as never)).rejects.toEqual(refused)
    const missions = app.colony.forTenant(mission.tenant_id)
    await expect(missions.status(mission.mission_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(missions.resume(mission.mission_id, { concurrency: -1 })).rejects.toEqual(refused)
    await app.close()
  })

  test('by the context of a role', async () => {
    const calls: ((context: RoleContext) => Promise<unknown>)[] = [
      ...[null, 5, '', '\0', '\ud800', 'x'.repeat(1000)].map(
        (name) => (context: RoleContext) => context.tool(name as never),
      ),
      ...[null, 5, [], { n: 1n }].map((params) => (context: RoleContext) => context.tool('search', params as never)),
      ...[NaN, -1, 'x', undefined].map((tokens) => (context: RoleContext) => context.spend(tokens as never)),
      (context) => context.ask('x', undefined as never),
      (context) => context.ask('x', async () => undefined as never),
      (context) => context.requireData(null as never),
      (context) => context.prompt({ role_type: 'cook' } as never),
    ]
    const worker: Roles['worker'] = async (input, context) => {
      for (const call of calls) await expect(call(context)).rejects.toEqual(refused)
      return done(input, context)
    }
    const app = await createApp({ roles: workersFor([task('a')], worker) })
    expect(await app.colony.run(envelope())).toMatchObject({ status: 'completed', error: null })
    await app.close()
  })

  test('by a mission whose roles or priorities are broken', async () => {
    const cyclic: Record<string, unknown> = { output_text: '', confidence: 1 }
    cyclic.self = cyclic
    const app = await createApp({ roles: workersFor([task('a')], () => cyclic as never) })
    expect((await app.colony.run(envelope())).error).toContain('contains itself')
    const priority = () => {
      throw new Error('no idea')
    }
    const other = await createApp({ roles: workersFor([task('a')]), priority })
    expect(await other.colony.run(envelope())).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no idea'),
    })
    await app.close()
    await other.close()
  })

  test('by everything that is called without a tenant', async () => {
    const app = await createApp()
    const { mission_id } = envelope()
    for (const call of ['status', 'resume', 'cancel', 'replay', 'toMermaid', 'toText'] as const) {
      const method = app.colony[call].bind(app.colony) as (id: string, scope?: unknown) => Promise<unknown>
      for (const scope of [undefined, null, {}, { tenantId: '' }, { tenantId: '../x' }]) {
        await expect(method(mission_id, scope)).rejects.toEqual(refused)
      }
    }
    await expect(app.colony.watch(mission_id, undefined as never).next()).rejects.toEqual(refused)
    await app.close()
  })
})
