import { randomUUID } from 'node:crypto'
import { Hono, type MiddlewareHandler } from 'hono'
import type { Caller } from '../caller.js'
import type { Cacheable } from './answer.js'
import type { Authenticate, Connection } from './authenticate.js'
import type { Environment, Router } from './environment.js'
import { nextTurn } from './next-turn.js'
import { OPERATION_PATH, type ReadOperation } from './operation-reader.js'

/** The outcome of a read: the answer and its caller, or why there is none. */
export type ReadOutcome = { readonly caller: Caller; readonly answer: Cacheable } | { readonly error: unknown }

/** How plain reads are carried out: by the same functions as all others. */
export interface PlainReadSteps {
  /** Throws for hosts that are not allowed. A plain read names no origin. */
  readonly checkHost: (request: Request) => void
  readonly authenticate: Authenticate
  readonly read: ReadOperation
  /** Aborts a read that takes too long. */
  readonly limit: MiddlewareHandler<Environment>
}

/** Request headers that concern a step which plain reads skip. */
const SPECIAL = ['if-none-match', 'origin', 'sec-fetch-site', 'x-request-id']

/** Headers that differ in each answer. */
const OWN: ReadonlySet<string> = new Set(['content-length', 'etag', 'x-request-id'])

/** Minimum size in bytes of compressed answers. */
const COMPRESSED_FROM = 1024

/**
 * Answers `GET` requests with short results and no special headers, as nearly all reads are, before the steps that add
 * nothing to them. Their headers are those of the first answer, which went through all steps, as does any request that
 * turns out not to be plain; the read itself is done once. It has its own router, since each middleware step costs a
 * promise.
 */
export function plainReads(router: Router, { checkHost, authenticate, read, limit }: PlainReadSteps): Router {
  let common: Readonly<Record<string, string>> | undefined
  const reads: Router = new Hono<Environment>()
  reads.notFound(async ({ req, env }) => {
    await nextTurn()
    return router.fetch(req.raw, env)
  })
  reads.get(OPERATION_PATH, async (context) => {
    const { env } = context
    const { raw, method } = context.req
    // Requests that arrive together take each step together, so that its code is in the caches of the processor.
    await nextTurn()
    // A method of HEAD is routed like GET.
    if (method !== 'GET' || isSpecial(raw, env.connection)) return router.fetch(raw, env)
    let outcome: ReadOutcome
    try {
      checkHost(raw)
      const caller = await authenticate(raw, env.connection)
      const reading = read(context, caller)
      // A read that waits for nothing needs no limit.
      const isDone = !(reading instanceof Promise)
      const answer = isDone
        ? reading
        : await unlessLate(reading, () => limit(context, async () => void (await reading)))
      if (common && answer.bytes < COMPRESSED_FROM) return plainResponse(common, answer)
      outcome = { caller, answer }
    } catch (error) {
      outcome = { error }
    }
    const response = await router.fetch(raw, { ...env, outcome })
    const isPlain = 'answer' in outcome && outcome.answer.bytes < COMPRESSED_FROM
    if (isPlain && response.status === 200) common = commonHeaders(response)
    return response
  })
  return reads
}

function isSpecial({ headers }: Request, { received }: Connection): boolean {
  return received ? SPECIAL.some((name) => name in received) : SPECIAL.some((name) => headers.has(name))
}

/**
 * Resolves like a promise, with a time limit. The timer is set only if the promise has not settled by the next turn of
 * the event loop, which reads from memory or an embedded database have. Rejects with the reason of the limit.
 */
function unlessLate<T>(promise: Promise<T>, limit: () => Promise<unknown>): Promise<T> {
  return new Promise((resolve, reject) => {
    let isPending = true
    const settle =
      <Value>(end: (value: Value) => void) =>
      (value: Value) => {
        isPending = false
        end(value)
      }
    promise.then(settle(resolve), settle(reject))
    nextTurn().then(() => {
      if (isPending) limit().catch(reject)
    })
  })
}

function plainResponse(common: Readonly<Record<string, string>>, { body, bytes, etag }: Cacheable): Response {
  const headers = { ...common }
  headers['content-length'] = String(bytes)
  headers.etag = etag
  headers['x-request-id'] = randomUUID()
  return new Response(body, { headers })
}

/** The headers of all plain answers, with slots for those that differ: adding headers later takes longer. */
function commonHeaders({ headers }: Response): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, OWN.has(name) ? '' : value]))
}
