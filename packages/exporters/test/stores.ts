import { Minions, type MinionsOptions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { PromptsApi, promptPluginTypes } from '@minions/prompts'
import { sqliteStorage } from '@minions/storage-sqlite'
import { PromptExporter } from '../src/index.js'

/** The backends that suites run on. */
export const backends: readonly (readonly [name: string, create: () => StorageBackend])[] = [
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage({ path: ':memory:' })],
]

/** A client with the prompt types on a clock that advances by a second with each reading. */
export async function openStore(storage: StorageBackend = memoryStorage(), options: Partial<MinionsOptions> = {}) {
  let time = Date.UTC(2026, 0, 1)
  const clock = () => {
    time += 1000
    return time
  }
  const client = await Minions.open({ clock, ...options, storage, types: promptPluginTypes })
  return { client, prompts: new PromptsApi(client), exporter: new PromptExporter(client) }
}

/** A minion as far as text formats look at it. */
export const contentOf = (content: string) => ({ fields: { content } })
