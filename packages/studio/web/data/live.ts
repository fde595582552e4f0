import { isMinionsError } from '@minions/client'
import type { Query } from '@tanstack/react-query'
import { isTouched } from './areas.ts'
import { call, connection, isOnline } from './connection.ts'
import { queryClient } from './query-client.ts'
import { untilHidden, untilVisible } from './visibility.ts'

/** Milliseconds in which the changes of one commit arrive; they are taken together. */
const MOMENT = 25

/** Milliseconds between two refreshes, however much changes. */
const BREATH = 150

/** Milliseconds before the feed is opened again after the server refused it. */
const PAUSE = 2_000

let beginning: Promise<string | undefined> = Promise.resolve(undefined)

/** Notes where the feed is before anything is read, so that it is followed from there and no change is missed between. */
export function markBeginning(): void {
  const now = call<{ readonly cursor: string }>('changes.list', { since: 'now', limit: 1 }, { tenant: undefined })
  // A server that cannot be reached, or refuses the key, says so to whatever is read next.
  beginning = now.then(
    ({ cursor }) => cursor,
    () => undefined,
  )
}

/** Follows the feed and refreshes whatever a change may have touched, until the signal is aborted. */
export async function followChanges(signal: AbortSignal): Promise<void> {
  const refresh = refresher(signal)
  const stopListening = isOnline.subscribe(() => {
    // Calls that failed while the server was away are made again.
    if (isOnline.get()) void queryClient.invalidateQueries({ predicate: isCall })
  })
  try {
    while (!signal.aborted) {
      await untilVisible()
      const hidden = untilHidden()
      try {
        const since = await beginning
        const both = AbortSignal.any([signal, hidden.signal])
        const events = connection().events({ signal: both, ...(since !== undefined && { since }) })
        for await (const { collection, cursor } of events) {
          beginning = Promise.resolve(cursor)
          refresh(collection)
        }
      } catch (error) {
        // It goes on from where it was once the page is looked at again.
        if (hidden.signal.aborted) continue
        if (signal.aborted || isMinionsError(error, 'UNAUTHENTICATED')) return
      } finally {
        hidden.end()
      }
      await pause(PAUSE)
      markBeginning()
      void queryClient.invalidateQueries({ predicate: isCall })
    }
  } finally {
    stopListening()
  }
}

/** Takes the names of collections that changed, and refreshes what shows them: at once, then at most once a breath. */
function refresher(signal: AbortSignal): (collection: string) => void {
  const changed = new Set<string>()
  let isRefreshing = false
  const refreshAll = async () => {
    isRefreshing = true
    await pause(MOMENT)
    while (changed.size > 0 && !signal.aborted) {
      const collections = [...changed]
      changed.clear()
      const breath = pause(BREATH)
      await queryClient.invalidateQueries({ predicate: (query) => showsAny(query, collections) && !isDeep(query) })
      await breath
    }
    isRefreshing = false
  }
  return (collection) => {
    changed.add(collection)
    if (!isRefreshing) void refreshAll()
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
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
