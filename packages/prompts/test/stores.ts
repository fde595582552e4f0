import type { Minions, MinionsOptions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import type { StorageBackend } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { sqliteStorage } from '@minions/storage-sqlite'
import { type PromptsApi, prompts } from '../src/index.js'

/** The backends that suites run on. */
export const backends: readonly (readonly [name: string, create: () => StorageBackend])[] = [
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage({ path: ':memory:' })],
]

/** A clock that advances by one second each time it is read. */
export function tickingClock(start = Date.UTC(2026, 0, 1)): () => number {
  let time = start - 1000
  return () => {
    time += 1000
    return time
  }
}

export interface TestStore {
  readonly client: Minions
  readonly prompts: PromptsApi
}

/** An app with prompts, and their API. */
export async function openStore(
  storage: StorageBackend,
  options: Partial<Pick<MinionsOptions, 'clock' | 'generateId'>> = {},
): Promise<TestStore> {
  const app = await createMinions({ clock: tickingClock(), ...options, storage, plugins: [prompts()] })
  return { client: app, prompts: app.prompts }
}
