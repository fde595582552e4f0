import type { Clock } from '@minions/core'
import { currentProcess, formatProcess, hasEnded, isFree, type Lease, parseProcess } from '@minions/core/coordination'
import { Type } from 'typebox'

/** The process that does the work of a record, and until when that can be relied on. */
export interface Holder {
  readonly process: string
  readonly lease: Lease
}

export const HolderSchema = Type.Object({
  process: Type.String({ description: 'The process, on any machine.' }),
  lease: Type.Object({ token: Type.String(), expires_at: Type.Number() }),
})

export function holderOf(lease: Lease): Holder {
  return { process: formatProcess(currentProcess()), lease: { ...lease } }
}

/** True if a lease is free: its process has ended, or did not renew it in time. */
export function isAbandoned({ process, lease }: Holder, clock: Clock): boolean {
  const identity = parseProcess(process)
  return isFree(lease, clock) || (identity !== undefined && hasEnded(identity))
}
