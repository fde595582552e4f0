import { pluginRef } from '@minions/core/plugin'
import type { AuditLog } from './audit-log.js'

/** The audit log of an app, as other plugins depend on it. Everything works inside a transaction too. */
export const auditLogRef = pluginRef<AuditLog, AuditLog>()('@minions/audit-log', 'auditLog')
