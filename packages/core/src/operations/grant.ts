import { guarded } from '../errors/guard.js'
import { type Access, includesAccess } from './access.js'

/** Permissions of a caller. Omitted properties do not restrict. */
export interface Grant {
  /** Kinds of access. */
  readonly access?: Access | readonly Access[] | undefined
  /** Areas whose operations the caller may run, such as `prompts`. */
  readonly namespaces?: readonly string[] | undefined
  /** True if the caller is confined to the tenant of the call: it may run only `perTenant` operations. */
  readonly confined?: boolean | undefined
  /** Areas whose other operations a confined caller may run anyway, because tenants share their data. */
  readonly shared?: readonly string[] | undefined
}

/** The parts of an operation that decide who may run it. */
export interface GuardedOperation {
  readonly name: string
  readonly access: Access
  readonly perTenant?: boolean | undefined
}

/** True if a caller with this grant may run the operation. */
export const permits = guarded(
  'permits',
  (grant: Grant, operation: GuardedOperation): boolean => missingGrant(grant, operation) === undefined,
)

/** The permission a caller lacks to run the operation; undefined if it lacks none. */
export function missingGrant(grant: Grant, { name, access, perTenant }: GuardedOperation): string | undefined {
  const area = name.slice(0, name.indexOf('.'))
  if (grant.access !== undefined && !includesAccess(grant.access, access)) return `${access} access`
  if (grant.namespaces?.includes(area) === false) return `the namespace "${area}"`
  if (grant.confined && !perTenant && !grant.shared?.includes(area)) {
    return `the shared namespace "${area}", because it does not stay within a tenant`
  }
  return undefined
}

/** True if the outer grant permits everything the inner one permits. */
export const isWithin = guarded('isWithin', (inner: Grant, outer: Grant): boolean => {
  const { access, namespaces, confined, shared = [] } = inner
  const { access: granted, namespaces: areas } = outer
  const kinds = typeof access === 'string' ? [access] : access
  if (granted !== undefined && !kinds?.every((kind) => includesAccess(granted, kind))) return false
  if (areas !== undefined && !namespaces?.every((area) => areas.includes(area))) return false
  return !outer.confined || (confined === true && shared.every((area) => outer.shared?.includes(area)))
})
