import { callingBack, guarded } from '../errors/guard.js'
import { type Clock, readMillis } from '../time/clock.js'
import { sleep, type Timers } from './timers.js'

/**
 * The exclusive right of one process to do something. The token fences: a write commits only in a transaction in which
 * the stored lease has the writer's token. The time only tells when another process may take over.
 */
export interface Lease {
  /** Never reused; a lease that is taken over gets a new one. */
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires_at: number
}

export interface LeaseTerms {
  readonly clock: Clock
  readonly timers: Timers
  /** Milliseconds after which a lease that was not renewed may be taken over. */
  readonly leaseMs: number
  /** Stops watching, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Number of renewals, or of reads by a process that wants it, within the duration of a lease. */
export const LEASE_CHECKS = 4

/** Creates tokens that are unique across processes. */
export function tokenSource(): () => string {
  const owner = crypto.randomUUID()
  let count = 0
  return () => `${owner}/${count++}`
}

/** A lease that begins, or is renewed, now. */
export const leaseOf = guarded('leaseOf', leaseOfUnchecked, { checksInside: false })

function leaseOfUnchecked(token: string, { clock, leaseMs }: Pick<LeaseTerms, 'clock' | 'leaseMs'>): Lease {
  return { token, expires_at: Math.ceil(readMillis(clock) + leaseMs) }
}

/** True if a lease can be taken: there is none, it has expired, or it was watched without being renewed. */
export const isFree = guarded('isFree', isFreeUnchecked)

function isFreeUnchecked(lease: Lease | null | undefined, clock: Clock, stale?: Lease | null): boolean {
  return lease == null || lease.expires_at <= readMillis(clock) || isSame(lease, stale)
}

/** Outcome of watching a lease: `free`, with what `isFree` takes as `stale`, or renewed or taken by a live process. */
export interface WatchedLease<L extends Lease> {
  readonly lease: L | undefined
  readonly free: boolean
}

/**
 * Watches a lease until it changes, expires, or was not renewed for its whole duration. The last proves that its holder
 * is gone even if the clocks of two machines differ.
 */
export const watchLease = guarded('watchLease', watchLeaseUnchecked)

async function watchLeaseUnchecked<L extends Lease>(
  first: L,
  read: () => L | undefined | Promise<L | undefined>,
  { clock, timers, leaseMs, signal }: LeaseTerms,
): Promise<WatchedLease<L>> {
  const readNow = callingBack(read)
  for (let check = 0; check < LEASE_CHECKS; check++) {
    const remaining = first.expires_at - readMillis(clock)
    await sleep(Math.max(1, Math.min(remaining, leaseMs / LEASE_CHECKS)), timers, signal)
    const lease = await readNow()
    if (isFree(lease, clock)) return { lease, free: true }
    if (!isSame(lease, first)) return { lease, free: false }
  }
  return { lease: first, free: true }
}

function isSame(lease: Lease | undefined, other: Lease | null | undefined): boolean {
  return lease?.token === other?.token && lease?.expires_at === other?.expires_at
}
