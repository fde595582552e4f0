import type { Minion } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'

/** Titles of objects by their ids; the id itself for one that is not there. */
export function useTitles(ids: readonly string[]): (id: string) => string {
  const distinct = [...new Set(ids)].sort()
  const { data } = useCall<Page<Minion>>(
    'objects.find',
    { where: { id: { in: distinct } }, limit: Math.max(1, distinct.length), includeDeleted: true },
    { enabled: distinct.length > 0, keepPrevious: true },
  )
  return (id) => data?.items.find((each) => each.id === id)?.title ?? id
}
