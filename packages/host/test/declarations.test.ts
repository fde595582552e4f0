import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

test('the inferred type of an app survives declaration emit where core is not hoisted', () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'minions-declarations-')))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  // As pnpm lays packages out: all in a store of their own, and in the application only what it depends on itself.
  const store = join(project, 'store/node_modules')
  for (const name of ['core', 'host']) copyPackage(join(repository, 'packages', name), join(store, '@minions', name))
  for (const name of ['typebox', 'eventemitter3'])
    copyPackage(join(repository, 'node_modules', name), join(store, name))
  write(store, {
    '@acme/greeter/package.json': '{"name":"@acme/greeter","type":"module","exports":{"types":"./index.d.ts"}}',
    '@acme/greeter/index.d.ts': `
      import type { Plugin, PluginRef } from '@minions/core/plugin'
      export interface Greeter { greet(name: string): string }
      export declare const greeterRef: PluginRef<'@acme/greeter', 'greeter', Greeter, Greeter>
      export declare const greeter: () => Plugin<typeof greeterRef, {}>
      export declare const polite: () => Plugin<PluginRef<'@acme/polite', 'polite', Greeter, never>, { greeter: typeof greeterRef }>`,
  })
  for (const name of ['@minions/host', '@acme/greeter']) {
    mkdirSync(join(project, 'app/node_modules', dirname(name)), { recursive: true })
    symlinkSync(join(store, name), join(project, 'app/node_modules', name))
  }
  write(join(project, 'app'), {
    'package.json': '{"type":"module"}',
    'app.ts': `
      import { greeter } from '@acme/greeter'
      import { createMinions } from '@minions/host'
      const flag = Math.random() > 0.5
      export const app = await createMinions({ storage: 'memory:', plugins: [greeter()] })
      export const maybe = await createMinions({ storage: 'memory:', plugins: [flag && greeter()] })
      export const start = () => createMinions({ storage: 'memory:', plugins: [greeter()] })
      export const page = await app.find({ type: 'note' })
      export const minion = await app.get('a')
      export const record = await app.getRecord('a')
      export const relations = await app.relations('a')
      export const work = app.transaction(async (tx) => tx)
      export const { types, storage, registry } = app
      export const report = await app.types.planEvolution('note', [])
      export const problems = app.problems()
      export const bundle = app.importBundle('')
      export const listen = (listener: Parameters<typeof app.on<'minion.created'>>[1]) => app.on('minion.created', listener)`,
    'use.ts': `
      import { app, maybe } from './out/app.js'
      export const text: string = app.greeter.greet('Ada')
      export const other: string | undefined = maybe.greeter?.greet('Ada')
      // @ts-expect-error the namespace is misspelt
      app.greter`,
    'missing.ts': `
      import { polite } from '@acme/greeter'
      import { createMinions } from '@minions/host'
      createMinions({ storage: 'memory:', plugins: [polite()] })`,
  })
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const compile = (...args: string[]) =>
    spawnSync(tsc, ['--pretty', 'false', ...args], { cwd: join(project, 'app'), encoding: 'utf8' }).stdout
  const options =
    '--module NodeNext --target ES2023 --strict --exactOptionalPropertyTypes --skipLibCheck --ignoreConfig'.split(' ')
  expect(compile(...options, '--declaration', '--outDir', 'out', 'app.ts')).toBe('')
  expect(compile(...options, '--noEmit', 'use.ts')).toBe('')
  expect(compile(...options, '--noEmit', 'missing.ts')).toMatch(/^missing\.ts\(4,.*MissingPlugin<"@acme\/greeter">/s)
  const emitted = readFileSync(join(project, 'app/out/app.d.ts'), 'utf8')
  expect(emitted).toContain('Plugin<import("@minions/host").PluginRef<"@acme/greeter", "greeter", ')
  expect(emitted).not.toContain('@minions/core')
  expect(emitted).not.toContain('any')
})

/** What is published of a package, as far as the compiler looks at it. */
function copyPackage(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/\/(?:src|test|node_modules|reports)$/.test(path.slice(from.length)),
  })
}

function write(folder: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
}
