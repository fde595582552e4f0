import type { Grant } from '@minions/core/operations'
import type { ApiKey } from './key-record.js'

/** The parts of a key that define its permissions. */
export interface KeyGrant extends Pick<ApiKey, 'scopes'> {
  readonly namespaces?: readonly string[] | undefined
  readonly tenant?: string | undefined
  readonly shared?: readonly string[] | undefined
}

export function grantOf({ scopes, namespaces, tenant, shared }: KeyGrant): Grant {
  // Every caller may follow its own work and list the operations it may run.
  const areas = namespaces && [...namespaces, 'runs', 'operations']
  return { access: scopes, namespaces: areas, confined: tenant !== undefined, shared }
}
