import { pluginRef } from '@minions/core/plugin'
import type { Approvals } from './approvals/approvals.js'

/** The approvals of an app, as other plugins depend on them. */
export const approvalsRef = pluginRef<Approvals>()('@minions/approvals', 'approvals')
