import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { memoryStorage } from '@minions/core/memory'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMinions, defineConfig, loadConfig } from '../src/index.js'
import { plugin, rejection } from './support.js'

/** A plugin in plain JavaScript; applications in scratch folders have no packages, so it has brands of its own. */
const greeter = (namespace: string, exported: string) => `
const make = (options = {}) => ({
  ref: { name: '${namespace}', namespace: '${namespace}', versions: '*', [Symbol.for('@minions/plugin-ref')]: true },
  version: '1.0.0', deps: {}, contributes: [], provides: [], overrides: [], [Symbol.for('@minions/plugin')]: true,
  setup: () => ({ greet: (name) => (options.greeting ?? 'Hello') + ' ' + name }),
})
export { make as ${exported} }
`
const typescript = `
interface Options { readonly greeting?: string }
${greeter('typed', 'default').replace('(options = {})', '(options: Options = {})').replace('(name)', '(name: string)')}
`
const acme = {
  'node_modules/@acme/audit-log/package.json':
    '{"name":"@acme/audit-log","type":"module","exports":{"import":"./index.js"}}',
  'node_modules/@acme/audit-log/index.js': `${greeter('acme', 'auditLog')}\nexport const other = 1`,
  'node_modules/legacy/package.json': '{"name":"legacy","main":"index.cjs"}',
  'node_modules/legacy/index.cjs': greeter('legacy', 'plugin').replace(/export .*/, 'exports.plugin = make'),
}
const plugins = [
  '@acme/audit-log',
  ['./plugins/local.mjs', { greeting: 'Hi' }],
  { name: './plugins/typed.ts', options: { greeting: 'Good day' } },
  { name: './plugins/odd.mjs', export: 'special' },
  'legacy',
]
const local = {
  'plugins/local.mjs': greeter('local', 'local'),
  'plugins/typed.ts': typescript,
  'plugins/odd.mjs': greeter('odd', 'special'),
}
const config = { storage: 'sqlite:./data.db', plugins }

describe.each([
  ['minions.config.json', JSON.stringify(config)],
  ['minions.config.mjs', `export default ${JSON.stringify(config)}`],
  ['minions.config.ts', `const config: { storage: string } = ${JSON.stringify(config)}\nexport default config`],
  ['minions.config.js', `export default ${JSON.stringify(config)}`],
])('%s', (file, text) => {
  test('names storage and plugins, by package or path, with options', async () => {
    const folder = scratch({ 'package.json': '{"type":"module"}', [file]: text, ...acme, ...local })
    const loaded = await loadConfig(folder)
    expect(loaded).toMatchObject({ storage: 'sqlite:./data.db', from: folder, file: join(folder, file) })
    const greetings = await Promise.all(
      loaded.plugins.map(async ({ setup }) =>
        ((await setup({} as never)) as { greet(name: string): string }).greet('Ada'),
      ),
    )
    expect(greetings).toEqual(['Hello Ada', 'Hi Ada', 'Good day Ada', 'Hello Ada', 'Hello Ada'])
  })
})

test('a loaded configuration makes an app', async () => {
  const folder = scratch({
    'minions.config.json': JSON.stringify({ storage: 'memory:', plugins: ['./a.mjs'] }),
    'a.mjs': greeter('a', 'a'),
  })
  const app = await createMinions(await loadConfig(folder))
  expect((app as unknown as { a: { greet(name: string): string } }).a.greet('Ada')).toBe('Hello Ada')
  await app.close()
})

test('code may put plugins and a backend into a configuration, and import what the application has', async () => {
  const core = (entry: string) => fileURLToPath(new URL(`../../core/dist/${entry}/index.js`, import.meta.url))
  const folder = scratch({
    'minions.config.ts': `
      import { memoryStorage } from ${JSON.stringify(core('storage/memory'))}
      import { definePlugin, pluginRef } from ${JSON.stringify(core('plugin'))}
      const one = definePlugin({ ref: pluginRef()('one', 'one'), version: '1.0.0', setup: () => 1 })
      export default { storage: memoryStorage(), plugins: [one, false] }`,
  })
  const app = await createMinions(await loadConfig(folder))
  expect((app as unknown as { one: number }).one).toBe(1)
  await app.close()
  const written = { storage: memoryStorage(), plugins: [plugin('a')] } as const
  expect(defineConfig(written)).toBe(written)
})

describe('a configuration is refused', () => {
  const refused = (files: Record<string, string>, code: string, ...named: string[]) =>
    rejection(loadConfig(scratch(files)), code, ...named)
  const json = (value: unknown) => ({ 'minions.config.json': JSON.stringify(value) })

  test('when there is none, or more than one', async () => {
    await refused({}, 'CONFIG_NOT_FOUND', 'minions.config.ts', 'minions.config.js', 'minions.config.json')
    const two = { 'minions.config.json': '{}', 'minions.config.mjs': 'export default {}' }
    await refused(two, 'CONFIG_INVALID', 'minions.config.json', 'minions.config.mjs')
  })

  test('when it cannot be read', async () => {
    const error = await refused({ 'minions.config.json': '{ "storage": ' }, 'CONFIG_INVALID', 'minions.config.json')
    expect(error.cause).toBeInstanceOf(SyntaxError)
    await refused({ 'minions.config.mjs': 'throw new Error("no key")' }, 'CONFIG_INVALID', 'no key')
    await refused({ 'minions.config.ts': 'const x: = 1' }, 'CONFIG_INVALID', 'minions.config.ts')
    await refused({ 'minions.config.mjs': 'export const storage = 1' }, 'CONFIG_INVALID', 'default export')
  })

  test('when it says something else than storage and plugins, with everything that is wrong', async () => {
    const wrong = { storage: 7, plugins: ['ok', 5, { nam: 'x' }], plugin: [] }
    const error = await refused(
      json(wrong),
      'CONFIG_INVALID',
      '/storage',
      '/plugins/1',
      '/plugins/2',
      '/plugin is not a known',
    )
    expect(error.details.errors).toBeInstanceOf(Array)
    await refused(json([]), 'CONFIG_INVALID')
    await refused(json(null), 'CONFIG_INVALID')
    await refused(json({}), 'CONFIG_INVALID', 'storage')
    await refused(json({ storage: 'memory:', plugins: { a: 1 } }), 'CONFIG_INVALID', '/plugins')
  })

  test('when a plugin cannot be imported, which is named with the cause', async () => {
    const naming = (name: string, files: Record<string, string> = {}) => ({
      ...json({ storage: 'memory:', plugins: [name] }),
      ...files,
    })
    const missing = await refused(
      naming('@acme/nothing'),
      'PLUGIN_NOT_LOADED',
      '"@acme/nothing"',
      'npm install @acme/nothing',
    )
    expect(missing.cause).toBeInstanceOf(Error)
    await refused(naming('./nowhere.mjs'), 'PLUGIN_NOT_LOADED', '"./nowhere.mjs"', 'path')
    const broken = await refused(
      naming('./bad.mjs', { 'bad.mjs': 'throw new Error("no key")' }),
      'PLUGIN_NOT_LOADED',
      'no key',
    )
    expect(broken.cause).toMatchObject({ message: 'no key' })
    await refused(
      naming('./bad.mjs', { 'bad.mjs': 'export const x = () => 1' }),
      'PLUGIN_NOT_LOADED',
      '"bad"',
      'export',
    )
    await refused(naming('./bad.mjs', { 'bad.mjs': 'export const bad = () => 1' }), 'PLUGIN_NOT_LOADED', 'definePlugin')
    const throwing = 'export const bad = () => { throw new Error("no key") }'
    await refused(naming('./bad.mjs', { 'bad.mjs': throwing }), 'PLUGIN_NOT_LOADED', '"./bad.mjs"', 'no key')
    const created = `${greeter('a', 'unused')}\nexport default make()`
    const options = json({ storage: 'memory:', plugins: [['./a.mjs', {}]] })
    await refused({ ...options, 'a.mjs': created }, 'PLUGIN_NOT_LOADED', '"./a.mjs"', 'does not accept options')
  })
})

function scratch(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'minions-config-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}
