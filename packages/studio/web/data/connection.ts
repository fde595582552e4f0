import { type CallOptions, type Client, createClient } from '@minions/client'
import { readKey, readTenant, storeTenant } from './session.ts'
import { createStore } from './store.ts'

/** True if the last request reached the server. */
export const isOnline = createStore(true)

/** True once the server refuses the key, as when it has expired or was revoked. */
export const isRefused = createStore(false)

/** The tenant within which calls are made. */
export const tenant = createStore<string | undefined>(readTenant())

export function chooseTenant(id: string | undefined): void {
  storeTenant(id)
  tenant.set(id)
}

/** Notes whether the server can be reached and takes the key, on every request that is sent anyway. */
const notingFetch: typeof fetch = async (...args) => {
  try {
    const response = await fetch(...args)
    isOnline.set(true)
    if (response.status === 401) isRefused.set(true)
    return response
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) isOnline.set(false)
    throw error
  }
}

let client: Client | undefined

/** The client of the server that the page came from. */
export function connection(): Client {
  client ??= createClient({ url: location.origin, key: readKey(), fetch: notingFetch, retries: 2 })
  return client
}

/** Forgets the client, so that the next call uses another key. */
export function reconnect(): void {
  client = undefined
  isRefused.set(false)
}

/** Calls an operation within the chosen tenant. What comes back is what its schema says, which the caller knows. */
export async function call<Output>(name: string, input: object = {}, options: CallOptions = {}): Promise<Output> {
  return (await connection().call(name, input, { tenant: tenant.get(), ...options })) as Output
}
