import { createHash } from 'node:crypto'
import type { Clock } from '@minions/core'
import { canonicalJson, type JsonObject } from '@minions/core/json'
import { guardMethods, readClock } from '@minions/core/plugin'
import { defineCollection, type StoreAccess } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

const CachedAnswerSchema = Type.Object({
  key: Type.String({ description: 'SHA-256 of everything that determines the answer.' }),
  model: Type.String(),
  text: Type.String(),
  tokens: Type.Integer(),
  cost: Type.Optional(Type.Number()),
  createdAt: Type.String({ description: 'RFC 3339 in UTC.' }),
})

export type CachedAnswer = Static<typeof CachedAnswerSchema>

/** Answers of models by the content of their requests. */
export const answersCollection = defineCollection({
  name: 'model_answers',
  schema: CachedAnswerSchema,
  key: 'key',
  columns: { createdAt: { type: 'string', required: true, indexed: true } },
  createdAt: 'createdAt',
})

/** Keeps answers in the store, so that the same request is paid for once. */
export class AnswerCache {
  readonly #store: StoreAccess
  readonly #clock: Clock
  readonly #asking = new Map<string, Promise<CachedAnswer>>()

  constructor(store: StoreAccess, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** The answer to a request, and whether it was cached. Of several concurrent callers, one calls the model. */
  async through(
    request: JsonObject,
    ask: () => Promise<Pick<CachedAnswer, 'model' | 'text' | 'tokens' | 'cost'>>,
  ): Promise<CachedAnswer & { readonly cached: boolean }> {
    const key = createHash('sha256').update(canonicalJson(request)).digest('hex')
    const known = await this.#store.get(answersCollection, key)
    if (known) return { ...known, cached: true }
    const running = this.#asking.get(key)
    if (running) return { ...(await running), cached: true }
    const asking = ask().then(async (answer) => {
      const record = { ...answer, key, createdAt: readClock(this.#clock) }
      await this.#store.put(answersCollection, record)
      return record
    })
    this.#asking.set(key, asking)
    try {
      return { ...(await asking), cached: false }
    } finally {
      this.#asking.delete(key)
    }
  }
}

guardMethods(AnswerCache)
