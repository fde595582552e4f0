import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { call, tenant } from './connection.ts'
import { useStore } from './store.ts'

/** A page of records, as operations give it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string
}

/** Key of a call in the cache: its operation, input and tenant; the feed finds it by the operation. */
export type CallKey = readonly ['call', name: string, input: object, tenant: string | undefined]

export interface CallSettings {
  /** False while something that the input needs is not known. */
  readonly enabled?: boolean
  /** Shows the result of the input before while that of the next one is on its way. */
  readonly keepPrevious?: boolean
  /** Reads across all tenants of the key instead of within the chosen one. */
  readonly acrossTenants?: boolean
}

/** The result of an operation that reads, kept up to date by the feed. */
export function useCall<Output>(name: string, input: object = {}, settings: CallSettings = {}): UseQueryResult<Output> {
  const chosen = useStore(tenant)
  const within = settings.acrossTenants ? undefined : chosen
  return useQuery({
    queryKey: ['call', name, input, within] satisfies CallKey,
    queryFn: ({ signal }) => call<Output>(name, input, { signal, tenant: within }),
    ...(settings.enabled !== undefined && { enabled: settings.enabled }),
    ...(settings.keepPrevious && { placeholderData: keepPreviousData }),
  })
}

export interface Rows<Item> {
  readonly items: readonly Item[]
  readonly query: UseInfiniteQueryResult<{ readonly pages: readonly Page<Item>[] }>
  /** Asks for the next page; undefined when there is none. */
  readonly more: (() => void) | undefined
}

/** The records of an operation that gives pages, as many pages as were asked for. */
export function useRows<Item>(name: string, input: object = {}, settings: CallSettings = {}): Rows<Item> {
  const within = useStore(tenant)
  const query = useInfiniteQuery({
    queryKey: ['call', name, input, within] satisfies CallKey,
    queryFn: ({ signal, pageParam }) =>
      call<Page<Item>>(name, pageParam === undefined ? input : { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<Item>) => last.nextCursor,
    ...(settings.enabled !== undefined && { enabled: settings.enabled }),
    ...(settings.keepPrevious && { placeholderData: keepPreviousData }),
  })
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const items = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data])
  const more = useCallback(() => {
    if (!isFetching) void fetchNextPage()
  }, [isFetching, fetchNextPage])
  return { items, query, more: hasNextPage ? more : undefined }
}

/** An operation that the user starts. */
export function useAction<Output, Input extends object = object>(name: string) {
  return useMutation({ mutationFn: (input: Input) => call<Output>(name, input) })
}
