import type { Operation } from '@minions/core/operations'
import * as approvals from './approvals.js'
import * as policy from './policy.js'

export const approvalsOperations = [
  approvals.ask,
  approvals.list,
  approvals.get,
  approvals.approve,
  approvals.reject,
  approvals.edit,
  approvals.decide,
  policy.explain,
  policy.get,
  policy.history,
  policy.test,
  policy.publish,
] as const satisfies readonly Operation[]
