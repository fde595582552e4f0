import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { call, tenant } from './connection.ts'
import { queryClient } from './query-client.ts'
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
  /** The result comes from files, of whose changes the feed does not tell: it is read again while it is in view. */
  readonly fromFiles?: boolean
}

/** Milliseconds after which a result that comes from files is read again. */
const FILES_REREAD = 5_000

/** A call, and how its result is kept. */
function callOptions<Output>(name: string, input: object, within: string | undefined) {
  return queryOptions({
    queryKey: ['call', name, input, within] satisfies CallKey,
    queryFn: ({ signal }) => call<Output>(name, input, { signal, tenant: within }),
  })
}

/** A call that gives pages, and how they are kept. */
function rowsOptions<Item>(name: string, input: object, within: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['call', name, input, within] satisfies CallKey,
    queryFn: ({ signal, pageParam }) =>
      call<Page<Item>>(name, pageParam === undefined ? input : { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<Item>) => last.nextCursor,
  })
}

/** Asks for a result before the page that shows it is loaded. */
export function prefetchCall(name: string, input: object = {}): void {
  void queryClient.prefetchQuery(callOptions(name, input, tenant.get()))
}

/** Asks for the first page of records before the page that shows them is loaded. */
export function prefetchRows(name: string, input: object): void {
  void queryClient.prefetchInfiniteQuery(rowsOptions(name, input, tenant.get()))
}

/** The result of an operation that reads, kept up to date by the feed. */
export function useCall<Output>(name: string, input: object = {}, settings: CallSettings = {}): UseQueryResult<Output> {
  const chosen = useStore(tenant)
  const within = settings.acrossTenants ? undefined : chosen
  return useQuery({
    ...callOptions<Output>(name, input, within),
    ...(settings.fromFiles && { staleTime: 0, refetchInterval: FILES_REREAD }),
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
    ...rowsOptions<Item>(name, input, within),
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

/** An operation that the user starts. `onDone` is called when it has succeeded, even if the page has been left by then. */
export function useAction<Output, Input extends object = object>(name: string, onDone: () => void = () => {}) {
  return useMutation({ mutationFn: (input: Input) => call<Output>(name, input), onSuccess: onDone })
}
