import { useQuery } from '@tanstack/react-query'
import type { JsonSchema } from '../forms/schema.ts'
import { call } from './connection.ts'

export interface OperationFacts {
  readonly name: string
  readonly summary: string
  readonly access: 'read' | 'write' | 'approve' | 'admin'
  readonly destructive: boolean
  readonly plugin: string
}

export interface OperationDetails extends OperationFacts {
  readonly description?: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  readonly examples: readonly { readonly title: string; readonly input: unknown; readonly tenant?: string }[]
}

/** Operations that the key of the page may run. */
export function useOperations() {
  return useQuery({
    queryKey: ['operations'],
    queryFn: () => call<readonly OperationFacts[]>('operations.list', {}, { tenant: undefined }),
  })
}

/** Tells whether the key may run an operation and the app has it: what it may not is not offered. */
export function useCan(): (name: string) => boolean {
  const { data } = useOperations()
  return (name) => data?.some((operation) => operation.name === name) ?? false
}

export function useOperation(name: string) {
  return useQuery({
    queryKey: ['operation', name],
    queryFn: () => call<OperationDetails>('operations.get', { name }, { tenant: undefined }),
  })
}
