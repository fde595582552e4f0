import { createToken } from './token.js'

/** Something that is recorded besides changes of minions: a decision, or an attempt that was refused. */
export interface AuditNote {
  /** What it is about, e.g. the id of an approval. */
  readonly id: string
  readonly kind: 'decided' | 'refused'
  /** RFC 3339. */
  readonly at: string
  readonly by?: string | undefined
  /** Code of the refusal. */
  readonly code?: string | undefined
  readonly message: string
}

/** Where decisions and refusals are recorded for good. */
export interface AuditTrail {
  record(note: AuditNote): Promise<void>
}

/** Stands for the audit log of an app. `@minions/audit-log` provides it; ask for it as `optional(auditTrail)`. */
export const auditTrail = createToken<AuditTrail>('@minions/core/audit-trail')
