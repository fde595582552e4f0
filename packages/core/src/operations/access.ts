import { guarded } from '../errors/guard.js'
/** Kinds of access: what an operation does, and what its caller must be allowed to do. */
export type Access = 'read' | 'write' | 'approve' | 'admin'

/** Every access includes reading; `admin` includes all. */
const INCLUDED: Readonly<Record<Access, readonly Access[]>> = {
  read: ['read'],
  write: ['read', 'write'],
  approve: ['read', 'approve'],
  admin: ['read', 'write', 'approve', 'admin'],
}

/** All kinds of access. */
export const ACCESS_KINDS = Object.keys(INCLUDED) as readonly Access[]

/** True if a caller with these kinds of access may do what needs `required`. */
export const includesAccess = guarded('includesAccess', includesAccessUnchecked)

function includesAccessUnchecked(granted: Access | readonly Access[], required: Access): boolean {
  const kinds = typeof granted === 'string' ? [granted] : granted
  return kinds.some((kind) => Object.hasOwn(INCLUDED, kind) && INCLUDED[kind].includes(required))
}
