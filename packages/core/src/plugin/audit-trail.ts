import { createToken } from './token.js'

/** An entry besides changes to minions: a decision, or an attempt that was refused. */
export interface AuditNote {
  /** Subject of the entry, e.g. the id of an approval. */
  readonly id: string
  readonly kind: 'decided' | 'refused'
  /** RFC 3339. */
  readonly at: string
  readonly by?: string | undefined
  /** Error code of the refusal. */
  readonly code?: string | undefined
  readonly message: string
}

/** Permanent record of decisions and refusals. */
export interface AuditTrail {
  record(note: AuditNote): Promise<void>
}

/** Token of the audit log of an app. `@minions/audit-log` provides it; depend on it as `optional(auditTrail)`. */
export const auditTrail = createToken<AuditTrail>('@minions/core/audit-trail')
