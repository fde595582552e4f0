import { memoryStorage } from '@minions/core/memory'
import { expect, test } from 'vitest'
import { createMinions, loadConfig, loadPlugins, storageFromUrl } from '../src/index.js'
import { plugin } from './support.js'

const storage = memoryStorage()
const cycle: Record<string, unknown> = {}
cycle.self = cycle

/** Calls with arguments that the compiler would refuse; each has a function somewhere, as those of users do. */
const calls: Readonly<Record<string, () => unknown>> = {
  'createMinions, types that are not a list': () => createMinions({ storage, types: Object('types') as never }),
  'createMinions, a list of other things for types': () => createMinions({ storage, types: ['a'] as never }),
  'createMinions, collections with holes': () => createMinions({ storage, collections: new Array(1) as never }),
  'createMinions, types of a plugin': () =>
    createMinions({ storage, plugins: [plugin('a', { types: cycle as never })] as never }),
  'createMinions, collections of a plugin': () =>
    createMinions({ storage, plugins: [plugin('a', { collections: cycle as never })] as never }),
  'createMinions, the version of a plugin': () =>
    createMinions({ storage, plugins: [plugin('a', { version: [Symbol('a')] as never })] as never }),
  'createMinions, a location that is not a text': () =>
    createMinions({ storage: 'memory:', from: Object.create(null), plugins: [plugin('a')] as never }),
  'loadConfig, a folder that is not a text': () => loadConfig(new URL('file:///a') as never),
  'loadPlugins, what is not a list': () => loadPlugins((() => []) as never, '/'),
  'loadPlugins, a folder that is not a text': () => loadPlugins([plugin('a')] as never, {} as never),
  'storageFromUrl, plugins that are not a list': () => storageFromUrl('memory:', '/', (() => []) as never),
}

test.each(Object.keys(calls))('%s is refused', async (name) => {
  await expect((async () => calls[name]?.())()).rejects.toMatchObject({ name: 'MinionsError' })
})

test('a plugin that fails to start says so itself', async () => {
  const failing = plugin('a', {
    setup: () => {
      throw new TypeError('of the plugin')
    },
  })
  await expect(createMinions({ storage: memoryStorage(), plugins: [failing] as never })).rejects.toThrow(
    'of the plugin',
  )
})
