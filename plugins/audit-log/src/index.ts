export type { AuditLog } from './audit-log.js'
export { type AuditEntry, AuditEntrySchema, auditCollection, type FieldChange } from './entry.js'
export { auditLog } from './plugin.js'
export { auditLogRef } from './ref.js'
