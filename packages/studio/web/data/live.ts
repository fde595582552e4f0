import { isMinionsError } from '@minions/client'
import type { Query } from '@tanstack/react-query'
import { isTouched } from './areas.ts'
import { connection, isOnline } from './connection.ts'
import { queryClient } from './query-client.ts'

/** Milliseconds between two refreshes, in which changes that come close together are taken together. */
const BREATH = 150

/** Milliseconds before the feed is opened again after the server refused it. */
const PAUSE = 2_000

/** Follows the feed and refreshes whatever a change may have touched, until the signal is aborted. */
export async function followChanges(signal: AbortSignal): Promise<void> {
  const changed = new Set<string>()
  let isRefreshing = false
  const refresh = async () => {
    if (isRefreshing) return
    isRefreshing = true
    while (changed.size > 0 && !signal.aborted) {
      await new Promise((resolve) => setTimeout(resolve, BREATH))
      const collections = [...changed]
      changed.clear()
      await queryClient.invalidateQueries({ predicate: (query) => showsAny(query, collections) && !isDeep(query) })
    }
    isRefreshing = false
  }
  const stopListening = isOnline.subscribe(() => {
    // What changed while the server was away is not told.
    if (isOnline.get()) void queryClient.invalidateQueries({ predicate: isCall })
  })
  try {
    while (!signal.aborted) {
      try {
        for await (const { collection } of connection().events({ signal })) {
          changed.add(collection)
          void refresh()
        }
      } catch (error) {
        if (signal.aborted || isMinionsError(error, 'UNAUTHENTICATED')) return
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      void queryClient.invalidateQueries({ predicate: isCall })
    }
  } finally {
    stopListening()
  }
}

function isCall({ queryKey }: Query): boolean {
  return queryKey[0] === 'call'
}

/** Pages of a list that are all read again when something changes; a list that was read further waits until it is opened anew. */
const MOST_PAGES = 20

function isDeep({ state }: Query): boolean {
  const { pages } = Object(state.data) as { readonly pages?: readonly unknown[] }
  return (pages?.length ?? 0) > MOST_PAGES
}

function showsAny(query: Query, collections: readonly string[]): boolean {
  const name = query.queryKey[1]
  return isCall(query) && typeof name === 'string' && collections.some((collection) => isTouched(name, collection))
}
