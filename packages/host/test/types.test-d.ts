import { definePlugin, type Minions, type Plugin } from '@minions/core'
import { expectTypeOf, test } from 'vitest'
import { type App, createMinions, type LoadedConfig, loadConfig } from '../src/index.js'

interface Prompts {
  render(text: string): string
}
const prompts = () =>
  definePlugin({
    name: 'prompts',
    namespace: 'prompts',
    version: '1.0.0',
    setup: (): Prompts => ({ render: (text) => text }),
  })
const skills = () =>
  definePlugin({
    name: 'skills',
    namespace: 'skills',
    version: '1.0.0',
    setup: async () => ({ run: async (n: number) => n }),
  })
const flag = Math.random() > 0.5

test('namespaces have exactly the types of their plugins', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [prompts(), skills()] })
  expectTypeOf(app.prompts).toEqualTypeOf<Prompts>()
  expectTypeOf(app.skills).toEqualTypeOf<{ run: (n: number) => Promise<number> }>()
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
  expectTypeOf(either.skills).toEqualTypeOf<{ run: (n: number) => Promise<number> } | undefined>()
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
  const shadow = definePlugin({ name: 'shadow', namespace: 'create', version: '1.0.0', setup: () => 1 })
  const app = await createMinions({ storage: 'memory:', plugins: [shadow] })
  expectTypeOf(app.create).toEqualTypeOf<Minions['create']>()
})

test('a transaction has the namespaces too', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [prompts(), flag && skills()] })
  await app.transaction(async (tx) => {
    expectTypeOf(tx.prompts).toEqualTypeOf<Prompts>()
    expectTypeOf(tx.skills).toEqualTypeOf<{ run: (n: number) => Promise<number> } | undefined>()
    // @ts-expect-error the namespace is misspelt
    tx.promts
    await tx.transaction(async (inner) => expectTypeOf(inner.prompts).toEqualTypeOf<Prompts>())
  })
})

test('an app can be named', () => {
  type MyApp = App<readonly [Plugin<'prompts', Prompts>]>
  expectTypeOf<MyApp['prompts']>().toEqualTypeOf<Prompts>()
  // @ts-expect-error something that is no plugin
  createMinions({ storage: 'memory:', plugins: [{ name: 'x' }] })
})
