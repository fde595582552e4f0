import { cancelled, isMinionsError, MinionsError } from './errors.js'
import { pause } from './pause.js'
import { invalid, takeOptions, takeText } from './take.js'

/** The address of a server, and how to talk to it. */
export interface ClientOptions {
  /** Address of the server, such as `https://minions.example.com`; a path in it is kept. */
  readonly url: string | URL
  /** The API key; none for a server that admits this machine without one. */
  readonly key?: string | undefined
  /** Default tenant of calls. */
  readonly tenant?: string | undefined
  /** Maximum number of retries of a repeatable request; 4 by default. */
  readonly retries?: number | undefined
  /** Sends requests; `fetch` of the platform by default. */
  readonly fetch?: typeof fetch | undefined
}

/** One request, without what all requests have. */
export interface Sent {
  readonly path: string
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal | undefined
}

/** Status codes that are worth a retry. */
const PASSING = new Set([429, 502, 503, 504])

/** Maximum number of waits for an earlier identical request to be answered. */
const MOST_WAITS = 120

/** Sends requests to a server, and repeats them where that is useful and safe. */
export class Transport {
  readonly #options: ClientOptions
  readonly #base: string

  constructor(options: ClientOptions) {
    this.#options = takeOptions('The options of a client', options)
    const { url, key, tenant, fetch: send } = this.#options
    takeText('The key', key)
    takeText('The tenant', tenant)
    if (send !== undefined && typeof send !== 'function') throw invalid('`fetch` must be a function.')
    if (!isAddress(url)) {
      throw invalid('`url` must be the address of a server, such as https://minions.example.com.')
    }
    this.#base = String(new URL(url)).replace(/\/+$/, '')
  }

  get tenant(): string | undefined {
    return this.#options.tenant
  }

  /** Sends a repeatable request and reads its answer. Rejects with its error, `UNREACHABLE` or `CANCELLED`. */
  async send<T>(
    sent: Sent,
    read: (response: Response) => T | Promise<T>,
    retries: number = this.#options.retries ?? 4,
  ): Promise<T> {
    for (let attempt = 0, waits = 0; ; ) {
      try {
        return await this.#sendOnce(sent, read)
      } catch (error) {
        if (!isMinionsError(error)) throw error
        const { code, details } = error
        const isWorkedOn = code === 'IN_PROGRESS' && waits++ < MOST_WAITS
        if (!isWorkedOn && !(isPassing(error) && attempt++ < retries)) throw error
        const { retryAfter } = details
        await pause(typeof retryAfter === 'number' ? retryAfter * 1000 : backOff(attempt), sent.signal)
      }
    }
  }

  async #sendOnce<T>(
    { path, body, headers = {}, signal }: Sent,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const { key, fetch: send = globalThis.fetch } = this.#options
    const all = new Headers()
    if (key !== undefined) all.set('authorization', `Bearer ${key}`)
    if (body !== undefined) all.set('content-type', 'application/json')
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value)
    try {
      const response = await send(`${this.#base}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: all,
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
        // A key must not follow a redirect to another server. With `error`, Node 20 forgets the signal at the next
        // garbage collection while the body is read.
        redirect: 'manual',
        credentials: 'omit',
      })
      if (!response.ok) throw await problemOf(response)
      return await read(response)
    } catch (error) {
      if (signal?.aborted) throw cancelled(signal)
      throw isMinionsError(error) ? error : unreachable(this.#base, error)
    }
  }
}

/** True for failures that are worth a retry. */
export function isPassing({ code, details }: MinionsError): boolean {
  return code === 'UNREACHABLE' || PASSING.has(Number(details.status))
}

/** Milliseconds before the next attempt: doubled each time, with jitter. */
export function backOff(attempt: number): number {
  return Math.min(10_000, 100 * 2 ** attempt) * (0.5 + Math.random() / 2)
}

async function problemOf(response: Response): Promise<MinionsError> {
  const { status, headers } = response
  const header = headers.get('retry-after')
  const facts = { status, ...(header !== null && /^\d+$/.test(header) && { retryAfter: Number(header) }) }
  const problem = await response.json().catch(() => undefined)
  return typeof problem?.code === 'string' ? errorOf(problem, facts) : unexpected('no problem document', facts)
}

/** The JSON of an answer. Rejects with `UNEXPECTED_ANSWER` for anything else. */
export async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw unexpected('something other than JSON', { status: response.status })
  }
}

/** The stream of an answer. Throws `UNEXPECTED_ANSWER` for anything but server-sent events. */
export function streamOf({ body, headers, status }: Response): ReadableStream<Uint8Array> {
  if (body && headers.get('content-type')?.startsWith('text/event-stream')) return body
  void body?.cancel().catch(() => undefined)
  throw unexpected('no stream of events', { status })
}

function unexpected(what: string, details: { readonly status: number }): MinionsError {
  const message = `The server answered with ${details.status} and ${what}; check the URL, and any proxy in front of the server.`
  return new MinionsError('UNEXPECTED_ANSWER', message, { details })
}

/** The error of a problem document, or of a run that failed. */
export function errorOf(
  { code, detail, message, details, instance }: Record<string, unknown>,
  facts: Readonly<Record<string, unknown>> = {},
): MinionsError {
  return new MinionsError(String(code), String(detail ?? message), {
    details: { ...(details as object), ...(instance !== undefined && { instance }), ...facts },
  })
}

function unreachable(url: string, cause: unknown): MinionsError {
  return new MinionsError(
    'UNREACHABLE',
    `The server at ${url} cannot be reached; check the URL, and that the server is running.`,
    { cause },
  )
}

function isAddress(url: unknown): url is string | URL {
  try {
    return url instanceof URL || (typeof url === 'string' && URL.canParse(url))
  } catch {
    // A proxy that cannot be read.
    return false
  }
}
