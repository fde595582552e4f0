// @ts-check
import { memoryStorage } from '@minions/core/memory'
import { exporters } from '@minions/exporters'
import { prompts } from '@minions/prompts'

/** @import { Arguments } from '../targets.mjs' */

/** The host and small packages. @type {Record<string, Arguments>} */
export const hostArguments = {
  'host.createMinions': (world) => [
    {
      storage: 'memory:',
      plugins: [prompts(), null],
      morePlugins: [exporters()],
      from: world.folder,
      types: [],
      collections: [],
      middleware: [],
      onTypeDiffers: 'keep',
      clock: () => new Date(0),
      transactionTimeout: 5000,
    },
  ],
  'host.defineConfig': () => [{ storage: 'memory:', plugins: [] }],
  'host.loadConfig': (world) => [world.folder],
  'host.loadPlugins': (world) => [[], world.folder],
  'host.routeStorage': () => [memoryStorage(), { ships: memoryStorage() }],
  'host.storageFromUrl': (world) => ['memory:', world.folder],
  'files.refuseNesting': () => ['{"a":[1]}'],
  'files.replaceFile': (world) => [world.path(), 'content', { draft: world.path() }],
  'files.replaceFileSync': (world) => [world.path(), 'content', world.path(), false],
  'files.syncDirectorySync': (world) => {
    world.path()
    return [world.folder]
  },
  'files.isSystemError': () => [new Error('a'), 'ENOENT'],
  'new files.FileLock': (world) => [{ directory: world.path(), prefix: 'lock', busy: () => new Error('busy') }],
  'files.FileLock#acquire': () => [5],
  'client.createClient': () => [
    { url: 'http://127.0.0.1:1/', key: 'a', tenant: 'acme', retries: 0, fetch: async () => new Response('{}') },
  ],
  'cli.main': () => [['--version']],
}
