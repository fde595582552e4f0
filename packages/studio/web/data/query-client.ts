import { isMinionsError } from '@minions/client'
import { QueryClient } from '@tanstack/react-query'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The feed says when something has changed.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // The client repeats what is worth repeating.
      retry: false,
      // A server on this machine is reached without a network.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Text of an error for people, with what to do. */
export function describeError(error: unknown): string {
  if (isMinionsError(error)) return error.message
  return error instanceof Error ? error.message : String(error)
}

export function codeOf(error: unknown): string | undefined {
  return isMinionsError(error) ? error.code : undefined
}
