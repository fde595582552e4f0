import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { chooseTenant, tenant } from '../data/connection.ts'
import { useStore } from '../data/store.ts'
import { useTenants } from '../data/tenants.ts'

/** Chooses the tenant whose missions are shown. Where there are several, the address names it. */
export function TenantChoice() {
  const chosen = useStore(tenant)
  const { tenant: named } = useSearch({ from: '__root__' })
  const navigate = useNavigate()
  const { data: tenants = [] } = useTenants()
  const isKnown = (id: string | undefined) => id !== undefined && tenants.includes(id)
  const wanted = [named, chosen, ...tenants].find(isKnown)
  const hasSeveral = tenants.length > 1
  useEffect(() => {
    if (wanted === undefined) return
    if (wanted !== chosen) chooseTenant(wanted)
    if (hasSeveral && wanted !== named) {
      void navigate({ to: '.', search: (before) => ({ ...before, tenant: wanted }), replace: true })
    }
  }, [wanted, chosen, named, hasSeveral, navigate])
  if (!hasSeveral) return null
  return (
    <select
      aria-label="Tenant"
      value={wanted ?? ''}
      onChange={({ target }) => navigate({ to: '.', search: (before) => ({ ...before, tenant: target.value }) })}
    >
      {tenants.map((id) => (
        <option key={id}>{id}</option>
      ))}
    </select>
  )
}
