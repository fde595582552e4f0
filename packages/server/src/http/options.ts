import type { Access } from '@minions/core/operations'
import type { RateLimit, RateLimiter } from './rate-limit.js'
import { LOOPBACK_HOSTS } from './same-host.js'

/** A key that is valid as long as the handler lives, and is not stored. */
export interface SessionKey {
  /** The string that its holder sends as `Authorization: Bearer …`; at least 32 random characters. */
  readonly key: string
  /** Name of its holder, the author of every change; `local` by default. */
  readonly by?: string
  /** Kinds of access that it grants; all by default. */
  readonly access?: readonly Access[]
}

/** Options of a handler. */
export interface HandlerOptions {
  /** Host names, with or without port, that the server answers to; by default the local names of this machine. */
  readonly hosts?: readonly string[]
  /** Origins of web pages that may call, besides pages that the server itself serves; none by default. */
  readonly origins?: readonly string[]
  /** Lets callers on this machine do everything without a key, as the author `local`; false by default. */
  readonly withoutKey?: boolean
  /** A key for this handler alone, such as that of a page opened by the same command; none by default. */
  readonly session?: SessionKey
  /** Maximum size in bytes of a body; 17 MiB by default, which is a record of the largest size with its envelope. */
  readonly maxBodyBytes?: number
  /** Milliseconds after which a read is aborted; 75,000 by default, longer than any operation waits. */
  readonly readTimeout?: number
  /** Milliseconds after which an operation that writes becomes a run, answered with 202; 10,000 by default. */
  readonly runAfter?: number
  /** Requests that one key may send; by default 6,000 a minute, counted in this process. */
  readonly rateLimit?: RateLimit | RateLimiter | false
  /** Event streams that one key may have open at once; 1,000 by default. */
  readonly streamsPerKey?: number
  /** Requests without a valid key that one address may send; 60 a minute by default. */
  readonly failureLimit?: RateLimit | RateLimiter | false
}

/** All options, with defaults filled in. */
export type Settings = Required<Omit<HandlerOptions, 'session'>> & Pick<HandlerOptions, 'session'>

export const DEFAULTS = {
  hosts: LOOPBACK_HOSTS,
  origins: [],
  withoutKey: false,
  maxBodyBytes: 17 * 1024 * 1024,
  readTimeout: 75_000,
  runAfter: 10_000,
  rateLimit: { points: 6000, duration: 60 },
  streamsPerKey: 1000,
  failureLimit: { points: 60, duration: 60 },
} as const satisfies Settings
