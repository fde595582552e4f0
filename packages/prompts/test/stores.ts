import { Minions, type MinionsOptions, memoryStorage, type StorageBackend } from '@minions/core'
import { sqliteStorage } from '@minions/storage-sqlite'
import { PromptsApi, promptPluginTypes } from '../src/index.js'

/** The backends that suites run on. */
export const backends: readonly (readonly [name: string, create: () => StorageBackend])[] = [
  ['memory', memoryStorage],
  ['SQLite', () => sqliteStorage({ path: ':memory:' })],
]

/** A clock that advances by one second each time it is read. */
function tickingClock(start = Date.UTC(2026, 0, 1)): () => number {
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

/** A client with the prompt types, and the API on it. */
export async function openStore(storage: StorageBackend, options: Partial<MinionsOptions> = {}): Promise<TestStore> {
  const client = await Minions.open({ clock: tickingClock(), ...options, storage, types: promptPluginTypes })
  return { client, prompts: new PromptsApi(client) }
}

/** A backend that counts the questions it is asked. */
export function counting(storage: StorageBackend): { storage: StorageBackend; questions: () => number } {
  let questions = 0
  const counted = new Set<PropertyKey>(['get', 'query', 'count'])
  const proxy = new Proxy(storage, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (counted.has(name)) questions += 1
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { storage: proxy, questions: () => questions }
}
