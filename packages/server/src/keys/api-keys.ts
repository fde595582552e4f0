import { type Clock, type Page, timestamp, type Where } from '@minions/core'
import { guardMethods, readMillis } from '@minions/core/plugin'
import type { StorageBackend, StoreAccess } from '@minions/core/storage'
import { serverError } from '../errors.js'
import { type ApiKey, type KeyRecord, keyCollection, withoutHash } from './key-record.js'
import { bytesOf, formatKey, hashOf, type KeyText, matchesHash, newKeyText, parseKey } from './key-text.js'

/** Input of `create`: what a key may do, and until when. */
export type NewApiKey = Pick<ApiKey, 'owner' | 'scopes'> &
  Partial<Pick<ApiKey, 'name' | 'namespaces' | 'tenant' | 'shared' | 'expiresAt' | 'createdBy'>>

export interface KeyFilter {
  readonly owner?: string | undefined
  /** Only keys of this tenant. */
  readonly tenant?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** Minimum number of milliseconds between two updates of a key's last use. */
const NOTED_EVERY = 60_000

const NEVER = Number.NEGATIVE_INFINITY

/** Maximum number of cached keys. */
const MOST_REMEMBERED = 10_000

/** A key as it was read, with its hash in bytes. */
interface KnownKey {
  readonly record: KeyRecord
  readonly hash: Uint8Array
}

/** A cached key, with the data version it was read at. */
interface Remembered {
  readonly key: KnownKey
  readonly version: number
}

/** Returns the version of the data, if that is faster than reading; see the method of backends. */
type Versioned = Pick<StorageBackend, 'dataVersion'>

/** What requests do with keys, without the guards of the methods: their arguments are ours. */
interface KeyUse {
  /** Like `verify`; a promise only if the store has to be read. */
  find(keys: ApiKeys, text: string): ApiKey | undefined | Promise<ApiKey | undefined>
  /** Like `noteUse`. */
  note(keys: ApiKeys, key: ApiKey): void
}

export let keyUse: KeyUse

/** The API keys of a store: only hashes of their secrets are kept. */
export class ApiKeys {
  static {
    keyUse = { find: (keys, text) => keys.#find(text), note: (keys, key) => keys.#noteUse(key) }
  }

  readonly #store: StoreAccess
  readonly #clock: Clock
  readonly #versioned: Versioned
  readonly #remembered = new Map<string, Remembered>()
  readonly #noting = new Map<string, Promise<void>>()
  /** When the last use of keys was noted, as far as this process knows, in milliseconds. */
  readonly #notedAt = new Map<string, number>()

  constructor(store: StoreAccess, clock: Clock, versioned: Versioned = {}) {
    this.#store = store
    this.#clock = clock
    this.#versioned = versioned
  }

  /** Creates a key. Its text is shown only this once. */
  async create(input: NewApiKey): Promise<{ readonly key: string; readonly record: ApiKey }> {
    const text = newKeyText()
    const now = readMillis(this.#clock)
    if (input.expiresAt !== undefined && !(Date.parse(input.expiresAt) > now)) {
      throw serverError('VALIDATION_FAILED', `The key would expire at once: ${input.expiresAt} is in the past.`)
    }
    const record: KeyRecord = { ...input, id: text.id, hash: hashOf(text.secret), createdAt: timestamp(now) }
    await this.#store.put(keyCollection, record, { ifAbsent: true })
    return { key: formatKey(text), record: withoutHash(record) }
  }

  /** Keys without their hashes, oldest first, including revoked and expired ones. */
  async list({ owner, tenant, limit, cursor }: KeyFilter = {}): Promise<Page<ApiKey>> {
    const where: Where = { ...(owner !== undefined && { owner }), ...(tenant !== undefined && { tenant }) }
    const { items, nextCursor } = await this.#store.find(keyCollection, {
      where,
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    })
    return { items: items.map(withoutHash), nextCursor }
  }

  /**
   * Revokes a key at once; repeating it changes nothing. Throws `NOT_FOUND`, even for a key of another tenant.
   */
  async revoke(id: string, { by, tenant }: { by?: string | undefined; tenant?: string | undefined } = {}) {
    return this.#store.transaction(async (tx) => {
      const record = await tx.get(keyCollection, id)
      if (!record || (tenant !== undefined && record.tenant !== tenant)) {
        throw serverError('NOT_FOUND', `There is no key "${id.slice(0, 100)}"; see the ids with keys.list.`)
      }
      if (record.revokedAt !== undefined) return withoutHash(record)
      const revoked: KeyRecord = {
        ...record,
        revokedAt: timestamp(readMillis(this.#clock)),
        ...(by !== undefined && { revokedBy: by }),
      }
      await tx.put(keyCollection, revoked)
      return withoutHash(revoked)
    })
  }

  /** The key record for a key; undefined for one that is unknown, expired or revoked. */
  async verify(text: string): Promise<ApiKey | undefined> {
    return this.#find(text)
  }

  #find(text: string): ApiKey | undefined | Promise<ApiKey | undefined> {
    const parts = parseKey(text)
    if (!parts) return undefined
    const known = this.#recall(parts.id)
    return known ? this.#matching(known, parts) : this.#read(parts.id).then((read) => this.#matching(read, parts))
  }

  #matching(known: KnownKey | undefined, { secret }: KeyText): ApiKey | undefined {
    return matchesHash(secret, known?.hash) && known && this.isValid(known.record) ? known.record : undefined
  }

  /** A cached key, unless anything was committed since, by any process. */
  #recall(id: string): KnownKey | undefined {
    const known = this.#remembered.get(id)
    return known && known.version === this.#versioned.dataVersion?.() ? known.key : undefined
  }

  async #read(id: string): Promise<KnownKey | undefined> {
    const version = this.#versioned.dataVersion?.()
    const record = await this.#store.get(keyCollection, id)
    if (!record) return undefined
    const key = { record, hash: bytesOf(record.hash) }
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    if (version !== undefined) this.#remembered.set(id, { key, version })
    return key
  }

  /** True if there is a key of this id that has neither expired nor been revoked. */
  async isUsable(id: string): Promise<boolean> {
    const record = await this.#store.get(keyCollection, id)
    return record !== undefined && this.isValid(record)
  }

  /** True unless the key has expired or was revoked. */
  isValid({ revokedAt, expiresAt }: ApiKey): boolean {
    return revokedAt === undefined && (expiresAt === undefined || Date.parse(expiresAt) > readMillis(this.#clock))
  }

  /** Records the use of a key, at most once a minute. */
  noteUse(key: ApiKey): void {
    this.#noteUse(key)
  }

  #noteUse({ id, lastUsedAt }: ApiKey): void {
    const now = readMillis(this.#clock)
    if (now - (this.#notedAt.get(id) ?? NEVER) < NOTED_EVERY || this.#noting.has(id)) return
    const notedAt = lastUsedAt === undefined ? NEVER : Date.parse(lastUsedAt)
    if (this.#notedAt.size >= MOST_REMEMBERED) this.#notedAt.clear()
    this.#notedAt.set(id, notedAt)
    if (now - notedAt < NOTED_EVERY) return
    const noting = this.#note(id, timestamp(now)).finally(() => this.#noting.delete(id))
    this.#noting.set(id, noting)
  }

  /** Waits for pending updates. */
  async settle(): Promise<void> {
    await Promise.all(this.#noting.values())
  }

  async #note(id: string, lastUsedAt: string): Promise<void> {
    try {
      await this.#store.transaction(async (tx) => {
        const record = await tx.get(keyCollection, id)
        if (record) await tx.put(keyCollection, { ...record, lastUsedAt })
      })
    } catch {
      // Recording the use of a key must never fail a request; the next one tries again.
    }
  }
}

guardMethods(ApiKeys)
