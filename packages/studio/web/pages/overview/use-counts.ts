import { useQueries } from '@tanstack/react-query'
import { call } from '../../data/connection.ts'
import type { MinionType } from '../../data/records.ts'
import type { CallKey } from '../../data/use-call.ts'

export interface TypeCount {
  readonly type: MinionType
  readonly count: number
}

/** How many objects of each type there are; undefined until all are counted, or if that failed. */
export function useCounts(types: readonly MinionType[]): {
  readonly counts?: readonly TypeCount[]
  readonly error?: unknown
} {
  return useQueries({
    queries: types.map(({ id }) => ({
      queryKey: ['call', 'objects.count', { type: id }, undefined] satisfies CallKey,
      queryFn: () => call<{ count: number }>('objects.count', { type: id }),
    })),
    combine: (results) => {
      const error = results.find((result) => result.error)?.error
      if (results.length === 0 || results.some(({ data }) => data === undefined)) return { error }
      const counts = results.flatMap(({ data }, index) => {
        const type = types[index]
        return type ? [{ type, count: data?.count ?? 0 }] : []
      })
      return { counts }
    },
  })
}
