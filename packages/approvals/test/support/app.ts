import type { Clock } from '@minions/core'
import type { GuardedCall } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { type ApprovalsOptions, approvals, type PolicyRule } from '../../src/index.ts'

interface AppOptions extends ApprovalsOptions {
  readonly storage?: string
  readonly clock?: Clock
}

/** Asks before every search, and denies what would delete. */
export const rules: readonly PolicyRule[] = [
  { name: 'never-delete', action: 'deny', call: 'delete_*', reason: 'deleting is not for agents' },
  { name: 'ask-search', action: 'ask', kind: 'tool', call: 'search', reason: 'it costs money' },
]

export function createApp({ storage = 'memory:', ...options }: AppOptions = {}) {
  return createMinions({
    storage,
    ...(options.clock && { clock: options.clock }),
    plugins: [approvals({ rules, ...options })],
  })
}

export type TestApp = Awaited<ReturnType<typeof createApp>>

export function search(query: string, more: Partial<GuardedCall> = {}): GuardedCall {
  return { kind: 'tool', name: 'search', arguments: { query }, by: 'agent', tenant: 'acme', ...more }
}
