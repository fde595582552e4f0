import type { Grant } from '@minions/core/operations'
import type { ApiKey } from './key-record.js'

/** Parts of a key that say what it permits. */
export interface KeyGrant extends Pick<ApiKey, 'scopes'> {
  readonly namespaces?: readonly string[] | undefined
  readonly tenant?: string | undefined
  readonly shared?: readonly string[] | undefined
}

/** What a key permits its holder. */
export function grantOf({ scopes, namespaces, tenant, shared }: KeyGrant): Grant {
  // A caller may follow the work that it began, and read which operations it may run.
  const areas = namespaces && [...namespaces, 'runs', 'operations']
  return { access: scopes, namespaces: areas, confined: tenant !== undefined, shared }
}
