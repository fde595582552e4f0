import { useQueries } from '@tanstack/react-query'
import { call } from '../../data/connection.ts'
import type { MinionType } from '../../data/records.ts'
import type { CallKey } from '../../data/use-call.ts'

export interface TypeCount {
  readonly type: MinionType
  readonly count: number
}

/** How many objects of each type there are; undefined until all are counted. */
export function useCounts(types: readonly MinionType[]): readonly TypeCount[] | undefined {
  return useQueries({
    queries: types.map(({ id }) => ({
      queryKey: ['call', 'objects.count', { type: id }, undefined] satisfies CallKey,
      queryFn: () => call<{ count: number }>('objects.count', { type: id }),
    })),
    combine: (results) => {
      if (results.length === 0 || results.some(({ isPending }) => isPending)) return undefined
      return results.flatMap(({ data }, index) => {
        const type = types[index]
        return type ? [{ type, count: data?.count ?? 0 }] : []
      })
    },
  })
}
