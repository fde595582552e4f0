import type { Grant } from '@minions/core/operations'

/** Who a request comes from, and what it may do. */
export interface Caller extends Grant {
  /** Owner of the key; the author of every change. */
  readonly by: string
  /** The tenant within which calls take place. */
  readonly tenant?: string | undefined
  /** Id of the key; undefined for a caller of this machine that needs none. */
  readonly key?: string | undefined
  /** When the key ends. */
  readonly expiresAt?: string | undefined
}
