import { useQuery } from '@tanstack/react-query'
import { call, tenant } from './connection.ts'
import { useCan } from './operations.ts'
import { useStore } from './store.ts'

/** The tenants that have missions; none for a key that belongs to one tenant, which needs no choice. */
export function useTenants() {
  const can = useCan()
  return useQuery({
    queryKey: ['call', 'artifacts.tenants', {}, undefined],
    queryFn: () => call<readonly string[]>('artifacts.tenants', {}, { tenant: undefined }),
    enabled: can('artifacts.tenants'),
  })
}

/** True if calls within a tenant can be made: one is chosen, or the key belongs to one and cannot choose. */
export function useHasTenant(): boolean {
  const chosen = useStore(tenant)
  const can = useCan()
  return chosen !== undefined || !can('artifacts.tenants')
}
