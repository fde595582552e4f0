export {
  type ApprovalScope,
  Approvals,
  type ApprovalsParts,
  type DecideOptions,
  type DeciderOptions,
  type EditOptions,
} from './approvals/approvals.js'
export type { ArgumentChange } from './approvals/argument-diff.js'
export type { ApprovedCall } from './approvals/call.js'
export type { Decision } from './approvals/decisions.js'
export type { ApprovalFilter } from './approvals/list.js'
export {
  APPROVAL_STATUSES,
  type Approval,
  type ApprovalEvent,
  ApprovalEventSchema,
  ApprovalSchema,
  type ApprovalStatus,
} from './approvals/record.js'
export { APPROVALS_ERROR_CODES, type ApprovalsErrorCode } from './errors.js'
export { type ApprovalNotification, type ApprovalNotifier, approvalNotifiers } from './notify/notifier.js'
export { signWebhook, type VerifyOptions, verifyWebhook, type WebhookHeaders } from './notify/sign.js'
export { type WebhookOptions, webhook } from './notify/webhook.js'
export { type ApprovalsOptions, approvals, approvalsCollections } from './plugin.js'
export { type Explanation, Policy, type PolicyVerdict } from './policy/policy.js'
export {
  POLICY_ACTIONS,
  type PolicyAction,
  type PolicyCall,
  type PolicyRule,
  PolicyRuleSchema,
  type PolicyTest,
} from './policy/rule.js'
export { type PolicyVersion, PolicyVersions, type PublishOptions } from './policy/versions.js'
export { approvalsRef } from './ref.js'
