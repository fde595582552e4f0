import { defineErrors } from '@minions/core'

/** Every code that this package throws besides those of core, with its meaning. */
export const APPROVALS_ERROR_CODES = {
  POLICY_INVALID: 'The rules of a policy cannot be used; `details.errors` lists every problem.',
  POLICY_TEST_FAILED: 'A policy does not do what its tests expect; `details.failures` lists them.',
  POLICY_DENIED: 'A rule of the policy denies the call; `details.rule` says which.',
  APPROVAL_REQUIRED:
    'A person must approve the call first; `details.approval` is the approval to decide on. Repeat the call afterwards.',
  APPROVAL_REJECTED: 'The call was rejected; `details.decidedBy` says by whom.',
  APPROVAL_EXPIRED: 'No one decided in time, or the approval was not used in time.',
  APPROVAL_WITHDRAWN: 'The approval is no longer needed: the caller that asked for it has ended.',
  APPROVAL_MISMATCH: 'The approval is for another call; `details.differs` says how it differs.',
  APPROVAL_USED: 'The approval was already used, and is valid for one call only.',
  SELF_APPROVAL: 'The person who asked for an approval cannot decide on it.',
  NOT_AN_APPROVER: 'The approval names who may decide on it, and the caller is not among them.',
  WEBHOOK_FAILED: 'A webhook did not accept a notification.',
  SIGNATURE_INVALID: 'A webhook was not signed with the secret, or its signature is too old.',
}
export type ApprovalsErrorCode = keyof typeof APPROVALS_ERROR_CODES

export const approvalsError = defineErrors(APPROVALS_ERROR_CODES)
