import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { defineCollection, type StoreAccess } from '@minions/core/storage'
import { Type } from 'typebox'

/** The collection of a store's secret, so that one process can open what another sealed. */
export const secretCollection = defineCollection({
  name: 'mcp_secrets',
  schema: Type.Object({ id: Type.String(), secret: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  key: 'id',
})

/** Seals texts that pass through a client, so that tampering is noticed. */
export interface Seal {
  /** The secret, for the official codec of `requestState`. */
  readonly key: Uint8Array
  /** The text with its seal, which is valid only for the same context: who may use it and for what. */
  close(text: string, context: readonly string[]): string
  /** The text that was sealed; undefined for anything else. */
  open(sealed: string, context: readonly string[]): string | undefined
}

/** The seal of a store; its secret is created with the first use. */
export async function openSeal(store: StoreAccess): Promise<Seal> {
  const id = 'seal'
  const secret = await store.transaction(async (tx) => {
    const found = await tx.get(secretCollection, id)
    if (found) return found.secret
    const fresh = randomBytes(32).toString('hex')
    await tx.put(secretCollection, { id, secret: fresh })
    return fresh
  })
  return sealWith(Buffer.from(secret, 'hex'))
}

function sealWith(key: Uint8Array): Seal {
  const tagOf = (text: string, context: readonly string[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['minions/mcp', text, ...context]))
      .digest()
      .subarray(0, 16)
  return {
    key,
    close: (text, context) =>
      `${Buffer.from(text).toString('base64url')}.${tagOf(text, context).toString('base64url')}`,
    open(sealed, context) {
      const [body = '', tag = '', ...more] = sealed.split('.')
      const text = Buffer.from(body, 'base64url').toString()
      const given = Buffer.from(tag, 'base64url')
      const expected = tagOf(text, context)
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return text
    },
  }
}
