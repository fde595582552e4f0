import { useEffect } from 'react'
import { chooseTenant, tenant } from '../data/connection.ts'
import { useStore } from '../data/store.ts'
import { useTenants } from '../data/tenants.ts'

/** Chooses the tenant whose missions are shown; there where there are several. */
export function TenantChoice() {
  const chosen = useStore(tenant)
  const { data: tenants = [] } = useTenants()
  const [first] = tenants
  const isKnown = chosen !== undefined && tenants.includes(chosen)
  useEffect(() => {
    if (first !== undefined && !isKnown) chooseTenant(first)
  }, [first, isKnown])
  if (tenants.length < 2) return null
  return (
    <select aria-label="Tenant" value={chosen ?? ''} onChange={({ target }) => chooseTenant(target.value)}>
      {tenants.map((id) => (
        <option key={id}>{id}</option>
      ))}
    </select>
  )
}
