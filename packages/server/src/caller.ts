import type { Grant } from '@minions/core/operations'

/** The caller of a request, and what it may do. */
export interface Caller extends Grant {
  /** Owner of the key; the author of every change. */
  readonly by: string
  /** The tenant of the calls. */
  readonly tenant?: string | undefined
  /** Id of the key; undefined for a caller on this machine that needs none. */
  readonly key?: string | undefined
  /** When the key expires. */
  readonly expiresAt?: string | undefined
}
