import { defineType, type Minions } from '@minions/core'
import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, optional, type Plugin, pluginRef, tokens } from '@minions/core/plugin'
import { Type } from 'typebox'
import { expectTypeOf, test } from 'vitest'
import {
  type App,
  type Complete,
  createMinions,
  type LoadedConfig,
  loadConfig,
  type MissingPlugin,
  type Tx,
} from '../src/index.js'

interface Prompts {
  render(text: string): string
}
interface PromptsTransaction {
  save(text: string): Promise<void>
}
interface Skills {
  run(n: number): Promise<number>
}
const promptsRef = pluginRef<Prompts, PromptsTransaction>()('@acme/prompts', 'prompts')
const skillsRef = pluginRef<Skills>()('@acme/skills', 'skills')
const prompts = () =>
  definePlugin({
    ref: promptsRef,
    version: '1.0.0',
    setup: () => ({ render: (text) => text }),
    join: () => ({ save: async () => {} }),
  })
const skills = () => definePlugin({ ref: skillsRef, version: '1.0.0', setup: async () => ({ run: async (n) => n }) })
const missions = () =>
  definePlugin({
    ref: pluginRef<{ start(): void }>()('@acme/missions', 'missions'),
    version: '1.0.0',
    deps: { prompts: promptsRef, skills: skillsRef.range('^1'), client: tokens.client, later: optional(skillsRef) },
    setup: () => ({ start() {} }),
  })
const flag = Math.random() > 0.5

test('namespaces have exactly the types of their plugins', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [prompts(), skills()] })
  expectTypeOf(app.prompts).toEqualTypeOf<Prompts>()
  expectTypeOf(app.skills).toEqualTypeOf<Skills>()
  expectTypeOf(app).toExtend<Minions>()
  // @ts-expect-error the namespace is misspelt
  app.promts
  // @ts-expect-error namespaces cannot be replaced
  app.prompts = { render: (text: string) => text }
  // @ts-expect-error the API has no such method
  app.prompts.rendr('')
})

test('an app without plugins is the client and nothing else', async () => {
  const app = await createMinions({ storage: 'memory:' })
  expectTypeOf(app).toExtend<Minions>()
  // @ts-expect-error there is no plugin
  app.prompts
  const empty = await createMinions({ storage: 'memory:', plugins: [] })
  // @ts-expect-error there is no plugin
  empty.prompts
})

test('the order of the list does not matter', async () => {
  const one = await createMinions({ storage: 'memory:', plugins: [prompts(), skills()] })
  const other = await createMinions({ storage: 'memory:', plugins: [skills(), prompts()] })
  expectTypeOf(one.prompts).toEqualTypeOf(other.prompts)
  expectTypeOf(one).toExtend<typeof other>()
  expectTypeOf(other).toExtend<typeof one>()
})

test('a plugin that may be left out may be missing', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [flag && prompts(), skills()] })
  expectTypeOf(app.prompts).toEqualTypeOf<Prompts | undefined>()
  // @ts-expect-error it may be undefined
  app.prompts.render('')
  expectTypeOf(app.skills.run).toBeFunction()
  const other = await createMinions({ storage: 'memory:', plugins: [flag ? prompts() : undefined] })
  expectTypeOf(other.prompts).toEqualTypeOf<Prompts | undefined>()
  const either = await createMinions({ storage: 'memory:', plugins: [flag ? prompts() : skills()] })
  expectTypeOf(either.prompts).toEqualTypeOf<Prompts | undefined>()
  expectTypeOf(either.skills).toEqualTypeOf<Skills | undefined>()
})

test('of a list whose length is not known, each plugin may be missing', async () => {
  const list = [prompts(), skills()]
  const app = await createMinions({ storage: 'memory:', plugins: list })
  expectTypeOf(app.prompts).toEqualTypeOf<Prompts | undefined>()
  const tuple = [prompts(), skills()] as const
  const exact = await createMinions({ storage: 'memory:', plugins: tuple })
  expectTypeOf(exact.prompts).toEqualTypeOf<Prompts>()
})

test('of plugins that are known at run time only, nothing is known', async () => {
  const app = await createMinions(await loadConfig('.'))
  expectTypeOf<LoadedConfig['plugins']>().toEqualTypeOf<readonly Plugin[]>()
  expectTypeOf(app).toExtend<Minions>()
  // @ts-expect-error a configuration says nothing to the compiler
  app.prompts
})

test('a namespace never hides a part of the client', async () => {
  const shadow = definePlugin({ ref: pluginRef<number>()('shadow', 'create'), version: '1.0.0', setup: () => 1 })
  const app = await createMinions({ storage: 'memory:', plugins: [shadow] })
  expectTypeOf(app.create).not.toEqualTypeOf<number>()
  expectTypeOf(app.softDelete).toEqualTypeOf<Minions['softDelete']>()
})

test('a transaction has the transactional part of the client, and the namespaces that take part in it', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [prompts(), skills()] })
  await app.transaction(async (tx) => {
    expectTypeOf(tx.prompts).toEqualTypeOf<PromptsTransaction>()
    expectTypeOf(tx.getRecord).toEqualTypeOf<Minions['getRecord']>()
    // @ts-expect-error skills offer nothing in a transaction
    tx.skills
    // @ts-expect-error the store is not closed inside a transaction
    tx.close
    // @ts-expect-error an import is a transaction of its own
    tx.importBundle
    // @ts-expect-error events follow commit
    tx.on
    // @ts-expect-error the API outside transactions has this method
    tx.prompts.render
    // @ts-expect-error the namespace is misspelt
    tx.promts
    await tx.transaction(async (inner) => {
      expectTypeOf(inner.prompts).toEqualTypeOf<PromptsTransaction>()
      // @ts-expect-error the store is not closed inside a transaction
      inner.close
    })
  })
  const maybe = await createMinions({ storage: 'memory:', plugins: [flag && prompts()] })
  await maybe.transaction(async (tx) => expectTypeOf(tx.prompts).toEqualTypeOf<PromptsTransaction | undefined>())
})

test('a list that lacks a required plugin does not compile', async () => {
  await createMinions({ storage: 'memory:', plugins: [missions(), prompts(), skills()] })
  await createMinions({ storage: 'memory:', plugins: [missions(), flag && prompts(), skills()] })
  // @ts-expect-error "@acme/skills" is missing
  await createMinions({ storage: 'memory:', plugins: [missions(), prompts()] })
  // @ts-expect-error "@acme/prompts" is missing
  await createMinions({ storage: 'memory:', plugins: [skills(), missions()] })
  // @ts-expect-error both are missing
  await createMinions({ storage: 'memory:', plugins: [missions()] })
  const list = [missions()]
  await createMinions({ storage: 'memory:', plugins: list })
  expectTypeOf<Complete<readonly [ReturnType<typeof missions>]>>().toEqualTypeOf<
    MissingPlugin<'@acme/prompts' | '@acme/skills'>
  >()
})

test('an app can be named', () => {
  type MyApp = App<readonly [ReturnType<typeof prompts>]>
  expectTypeOf<MyApp['prompts']>().toEqualTypeOf<Prompts>()
  expectTypeOf<Tx<readonly [ReturnType<typeof prompts>]>['prompts']>().toEqualTypeOf<PromptsTransaction>()
  expectTypeOf<MyApp>().toExtend<Minions>()
  // @ts-expect-error something that is not a plugin
  createMinions({ storage: 'memory:', plugins: [{ name: 'x' }] })
})

test('slugs that plugins bring type what is created, found and updated', async () => {
  const badgeType = defineType({
    id: 'badge',
    name: 'Badge',
    slug: 'badge',
    schema: [{ name: 'rank', type: 'number', required: true }],
  })
  const noteType = defineType({ id: 'my-note', name: 'Note', slug: 'note', schema: [{ name: 'text', type: 'string' }] })
  const badges = definePlugin({
    ref: pluginRef<object>()('@acme/badges', 'badges'),
    version: '1.0.0',
    types: [badgeType, { type: noteType, takesSlugOf: 'builtin-note' }],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [badges, prompts()] })
  const badge = await app.create('badge', { title: 'Gold', fields: { rank: 1 } })
  expectTypeOf(badge.fields.rank).toEqualTypeOf<number>()
  await app.create('note', { title: 'x', fields: { text: 'taken over' } })
  await app.create('task', { title: 'x' })
  // @ts-expect-error the field is misspelt
  await app.create('badge', { title: 'Gold', fields: { rnk: 1 } })
  // @ts-expect-error the note of the plugin has no content
  await app.create('note', { title: 'x', fields: { content: 'x' } })
  // @ts-expect-error the field is misspelt
  await app.find({ type: 'badge', where: { 'fields.rnk': 1 } })
  await app.transaction(async (tx) => {
    expectTypeOf((await tx.update('badge', 'id', { fields: { rank: 2 } })).fields.rank).toEqualTypeOf<number>()
  })
  expectTypeOf(app).toExtend<Minions>()
})

test('an app with more plugins is an app, and carries the operations of all', () => {
  const note = defineOperation({
    name: 'extra.note',
    summary: 'Note something',
    access: 'write',
    input: Type.Object({ text: Type.String() }),
    output: Type.Object({ id: Type.String() }),
    run: ({ text }) => ({ id: text }),
  })
  const extra = definePlugin({
    ref: pluginRef<object>()('@acme/extra', 'extra'),
    version: '1.0.0',
    contributes: [[operations, [note]]],
    setup: () => ({}),
  })
  type Bigger = App<readonly [typeof extra]>
  expectTypeOf<Bigger>().toExtend<App>()
  expectTypeOf<App>().not.toExtend<Bigger>()
  type Carried = NonNullable<Bigger['~operations']>
  expectTypeOf<Carried>().toHaveProperty('objects.get')
  expectTypeOf<Carried['extra.note']['run']>().parameter(0).toEqualTypeOf<{ text: string }>()
  expectTypeOf<Carried['extra.note']['run']>().returns.resolves.toEqualTypeOf<{ id: string }>()
})
