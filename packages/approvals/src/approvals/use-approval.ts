import { type MinionsError, timestamp } from '@minions/core'
import { type Clearance, type GuardedCall, readMillis } from '@minions/core/plugin'
import { type RetriedWrite, retryConflicts, type StoreAccess } from '@minions/core/storage'
import { type ApprovalsErrorCode, approvalsError } from '../errors.js'
import { type ApprovedCall, bindingOf, differencesOf, hashJson, toApprovedCall } from './call.js'
import { changeOf, type Journal } from './journal.js'
import { type Approval, approvalsCollection } from './record.js'
import type { ApprovalServices } from './services.js'
import { clearanceOf, describe, noSuchApproval, notApproved, statusAt } from './state.js'

interface UseParts extends ApprovalServices {
  readonly journal: Journal
  /** Throws `POLICY_DENIED` for a call that the policy now denies. */
  judge(call: GuardedCall, storage: StoreAccess): Promise<unknown>
}

export interface UseOptions {
  readonly tx?: StoreAccess | undefined
  /** True if the same use may continue after a process died between using the approval and the effect. */
  readonly isResumable?: boolean
}

const MAX_TRIES = 20

/** Uses an approval for a call, once. Every refused attempt is recorded. */
export async function useApproval(
  { storage, clock, journal, judge }: UseParts,
  id: string,
  call: GuardedCall,
  { tx, isResumable = false }: UseOptions,
): Promise<Clearance> {
  const attempted = toApprovedCall(call)
  const access = tx ?? storage
  const use = async (write: RetriedWrite) => {
    const found = await access.getRevised(approvalsCollection, id)
    if (found === undefined) throw noSuchApproval(id)
    const { record } = found
    const refuse = (error: MinionsError<ApprovalsErrorCode>) =>
      journal.refused(record, call.by, error, tx !== undefined)
    const refusal = misuse(record, attempted, call)
    if (refusal) {
      await refuse(refusal)
      throw refusal
    }
    const at = readMillis(clock)
    const status = statusAt(record, at)
    const isResumed = status === 'used' && isResumable && call.use !== undefined
    if (status !== 'approved' && !isResumed) {
      const error = notApproved(record, status)
      if (status === 'used' || status === 'expired') await refuse(error)
      throw error
    }
    const cleared = clearanceOf(record)
    try {
      // A person may have taken days, and may have changed the arguments.
      await judge({ ...call, arguments: cleared.arguments }, access)
    } catch (error) {
      if (approvalsError.is(error, 'POLICY_DENIED')) await refuse(error)
      throw error
    }
    if (isResumed) return cleared
    const what = { kind: 'used', by: call.by, message: `${describe(record)} used it` } as const
    await write(journal.write([changeOf(found, { status: 'used', used_at: timestamp(at) }, what)], access))
    return cleared
  }
  return retryConflicts(use, tx ? 1 : MAX_TRIES)
}

/** Reasons why an approval does not cover a call: another call, or a tampered record. */
function misuse(
  record: Approval,
  attempted: ApprovedCall,
  { by, tenant = null }: { readonly by: string; readonly tenant?: string | null | undefined },
): MinionsError<ApprovalsErrorCode> | undefined {
  const { approval_id, call, edit, tenant_id, asked_by, binding } = record
  const differs = [
    ...differencesOf(call, attempted),
    ...(asked_by === by ? [] : ['the requester']),
    ...(tenant_id === tenant ? [] : ['the tenant']),
  ]
  const isForged =
    hashJson(call.arguments) !== call.arguments_hash ||
    bindingOf(call, asked_by, tenant_id) !== binding ||
    (edit !== null && hashJson(edit.arguments) !== edit.arguments_hash)
  if (isForged) differs.push('the hash')
  if (differs.length === 0) return undefined
  const message = `Approval ${approval_id} is for another call: ${differs.join(', ')} differ.`
  return approvalsError('APPROVAL_MISMATCH', message, { details: { approval: approval_id, differs } })
}
