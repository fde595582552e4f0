const KEY = 'minions-studio-key'
const TENANT = 'minions-studio-tenant'

/**
 * Takes the key out of `#key=…` and out of the address, so that it is neither bookmarked nor shown. It is kept for as long
 * as the tab is open.
 */
export function takeKeyFromAddress(): void {
  const parameters = new URLSearchParams(location.hash.slice(1))
  const key = parameters.get('key')
  if (key === null) return
  sessionStorage.setItem(KEY, key)
  history.replaceState(null, '', location.pathname + location.search)
}

/** The key of this tab; undefined where the server needs none or the user has not given one yet. */
export function readKey(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function storeKey(key: string): void {
  sessionStorage.setItem(KEY, key)
}

/** The tenant that was chosen last; the page is about one tenant at a time. */
export function readTenant(): string | undefined {
  return localStorage.getItem(TENANT) ?? undefined
}

export function storeTenant(tenant: string | undefined): void {
  if (tenant === undefined) localStorage.removeItem(TENANT)
  else localStorage.setItem(TENANT, tenant)
}
