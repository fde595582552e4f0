import { withDeadline } from '@minions/core/coordination'
import { readMillis } from '@minions/core/plugin'
import type { Revised } from '@minions/core/storage'
import type { DecisionFeed } from './decision-feed.js'
import type { Approval } from './record.js'
import type { ApprovalServices } from './services.js'
import { present, statusAt } from './state.js'

interface WaitParts extends Pick<ApprovalServices, 'clock' | 'timers'> {
  readonly feed: DecisionFeed
  load(): Promise<Revised<Approval>>
  expire(found: Revised<Approval>): Promise<void>
}

/** Resolves once an approval is not pending, whatever process decided it. Rejects with the reason of the signal. */
export async function awaitDecision(id: string, parts: WaitParts, signal: AbortSignal): Promise<Approval> {
  const { clock, timers, feed } = parts
  let wake = () => {}
  let isWoken = false
  signal.throwIfAborted()
  const stop = await feed.watch(id, () => {
    isWoken = true
    wake()
  })
  try {
    for (;;) {
      signal.throwIfAborted()
      isWoken = false
      const found = await parts.load()
      const { record } = found
      const now = readMillis(clock)
      const status = statusAt(record, now)
      if (status === 'expired' && record.status === 'pending') {
        // A person may have decided at the same moment; the store is authoritative.
        await parts.expire(found)
        return present((await parts.load()).record, now)
      }
      if (status !== 'pending') return present(record, now)
      if (isWoken) continue
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      const timeout = Math.max(0, Date.parse(record.expires_at) - now)
      await withDeadline(woken, { timeout, timers, signal, expired: () => {} })
    }
  } finally {
    stop()
  }
}
