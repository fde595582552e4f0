import type { MiddlewareHandler } from 'hono'
import type { Caller } from '../caller.js'
import type { Cacheable } from './answer.js'
import type { Authenticate } from './authenticate.js'
import type { Environment, Router } from './environment.js'
import { OPERATION_PATH, type ReadOperation } from './operation-routes.js'

/** What came of a read: the answer and for whom it is, or why there is none. */
export type ReadOutcome = { readonly caller: Caller; readonly answer: Cacheable } | { readonly error: unknown }

/** How plain reads are carried out: by the same functions as all others. */
export interface PlainReadSteps {
  /** Throws for foreign hosts and origins. */
  readonly checkHost: (request: Request) => void
  readonly authenticate: Authenticate
  readonly read: ReadOperation
  /** Gives up a read that takes too long. */
  readonly limit: MiddlewareHandler<Environment>
}

/** Headers of requests that concern a step which plain reads leave out. */
const SPECIAL = ['if-none-match', 'origin', 'prefer', 'sec-fetch-site', 'x-request-id']

/** Headers that each answer has of its own. */
const OWN: ReadonlySet<string> = new Set(['content-length', 'etag', 'x-request-id'])

/** Bytes from which on answers are compressed. */
const COMPRESSED_FROM = 1024

/**
 * Answers `GET` for short results and without special headers, as nearly all reads are, ahead of the steps that have
 * nothing to add to them. The headers of such an answer are those of the first one, which went through all steps, as does
 * whatever turns out not to be plain; the read itself is done once.
 */
export function plainReads(router: Router, { checkHost, authenticate, read, limit }: PlainReadSteps): void {
  let common: Readonly<Record<string, string>> | undefined
  router.get(OPERATION_PATH, async (context, next) => {
    const { raw, method } = context.req
    // A method of HEAD is routed like GET.
    if (method !== 'GET' || SPECIAL.some((name) => raw.headers.has(name))) return next()
    let outcome: ReadOutcome | undefined
    try {
      checkHost(raw)
      const caller = await authenticate(raw, context.env)
      const reading = read(context, caller)
      if (!(await settlesAtOnce(reading))) await limit(context, async () => void (await reading))
      outcome = { caller, answer: await reading }
    } catch (error) {
      outcome = { error }
    }
    const answer = outcome && 'answer' in outcome && outcome.answer.bytes < COMPRESSED_FROM ? outcome.answer : undefined
    if (answer && common) return plainResponse(common, answer)
    if (outcome) context.set('outcome', outcome)
    await next()
    if (answer && context.res.status === 200) common = commonHeaders(context.res)
    return undefined
  })
}

/** Turns of the microtask queue that a read from memory or from an embedded database takes at most. */
const TURNS = 64

/** True if a promise settles before anything else happens, so that a timer would be set for nothing. */
async function settlesAtOnce(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  for (let turn = 0; turn < TURNS && !isSettled; turn++) await undefined
  return isSettled
}

function plainResponse(common: Readonly<Record<string, string>>, { body, bytes, etag }: Cacheable): Response {
  return new Response(body, {
    headers: { ...common, 'content-length': String(bytes), etag, 'x-request-id': crypto.randomUUID() },
  })
}

function commonHeaders({ headers }: Response): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN.has(name)))
}
