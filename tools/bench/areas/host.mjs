// @ts-check
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineType, Minions } from '@minions/core'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { defineCollection } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import { root } from '../../packages.mjs'
import { describe } from '../measure.mjs'

/** @import { Bench } from '../area.mjs' */

const plugins = Array.from({ length: 15 }, (_, index) => samplePlugin(index))

/** @param {Bench} bench */
export default async function (bench) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-host-'))
  try {
    const path = join(folder, 'app.db')
    const withHost = async () => (await createMinions({ storage: sqliteStorage({ path }), plugins })).close()
    const types = plugins.flatMap((plugin) => plugin.types ?? [])
    const collections = plugins.flatMap((plugin) => plugin.collections ?? [])
    const without = async () => (await Minions.open({ storage: sqliteStorage({ path }), types, collections })).close()
    await withHost()
    await bench.compare({
      name: 'open and close an app with fifteen plugins on SQLite',
      ours: withHost,
      peer: without,
      peerName: 'the same store without a host',
      bar: 1 / 1.5,
      from: 'the store alone: at most 1.5 × the time',
    })
    bench.value({
      name: 'compiling a list of 15 plugins, against a list of one',
      value: compileTime(folder, 15) / compileTime(folder, 1),
      unit: '×',
      bar: 3,
      from: 'fifteen times the list, most of a check being the imports',
      note: 'time of the type check alone',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {number} index */
function sampleRef(index) {
  return pluginRef()(`@acme/sample-${index}`, `sample${index}`)
}

/** A plugin with a bit of everything. @param {number} index */
function samplePlugin(index) {
  const collection = defineCollection({
    name: `sample_${index}`,
    version: 1,
    schema: {
      type: 'object',
      properties: { id: { type: 'string' }, text: { type: 'string' } },
      required: ['id', 'text'],
    },
    key: 'id',
    columns: { text: { type: 'string', indexed: true } },
  })
  return definePlugin({
    ref: sampleRef(index),
    version: '1.0.0',
    deps: { store: tokens.store, ...(index > 0 && { previous: sampleRef(index - 1).range('^1.0.0') }) },
    types: [
      defineType({
        id: `sample-${index}`,
        name: 'Sample',
        slug: `sample-${index}`,
        schema: [{ name: 'a', type: 'string' }],
      }),
    ],
    collections: [collection],
    options: {
      schema: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } }, required: ['size'] },
      value: { size: 3 },
    },
    setup: ({ store }) => ({ count: () => store.count(collection) }),
  })
}

/**
 * Milliseconds the compiler takes to check an app with so many plugins, the median of three.
 *
 * @param {string} folder
 * @param {number} count
 */
function compileTime(folder, count) {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const apis = numbers.map(
    (index) => `
      interface Api${index} { add(text: string, size: number): Promise<{ id: string, n${index}: number }>; size: number }
      type Ref${index} = PluginRef<'@acme/plugin-${index}', 'plugin${index}', Api${index}, Api${index}>
      declare const plugin${index}: () => Plugin<Ref${index}, { readonly previous: Ref${Math.max(0, index - 1)} }>`,
  )
  const uses = numbers.map((index) => `export const used${index} = app.plugin${index}.add('', app.plugin${index}.size)`)
  const list = numbers.map((index) => `plugin${index}()`).join(', ')
  const file = join(folder, `list-of-${count}.mts`)
  writeFileSync(
    file,
    [
      `import { createMinions, type Plugin, type PluginRef } from '${join(root, 'packages/host/dist/index.js')}'`,
      ...apis,
      `const app = await createMinions({ storage: 'memory:', plugins: [${list}] })`,
      ...uses,
    ].join('\n'),
  )
  const flags =
    '--noEmit --strict --skipLibCheck --module NodeNext --target ES2023 --ignoreConfig --extendedDiagnostics'
  const times = [1, 2, 3].map(() => {
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...flags.split(' '), file], { encoding: 'utf8' })
    const seconds = /^Check time:\s+([\d.]+)s$/m.exec(stdout)?.[1]
    if (seconds === undefined || /error TS/.test(stdout)) throw new Error(`the list does not compile:\n${stdout}`)
    return Number(seconds) * 1000
  })
  return describe(times).median
}
