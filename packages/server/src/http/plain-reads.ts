import { Hono, type MiddlewareHandler } from 'hono'
import type { Caller } from '../caller.js'
import type { Cacheable } from './answer.js'
import type { Authenticate } from './authenticate.js'
import type { Environment, Router } from './environment.js'
import { nextTurn } from './next-turn.js'
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
 * whatever turns out not to be plain; the read itself is done once. A router of its own, since the first step of many is
 * reached through as many promises.
 */
export function plainReads(router: Router, { checkHost, authenticate, read, limit }: PlainReadSteps): Router {
  let common: Readonly<Record<string, string>> | undefined
  const reads: Router = new Hono<Environment>()
  reads.notFound(({ req, env }) => router.fetch(req.raw, env))
  reads.get(OPERATION_PATH, async (context) => {
    const { env } = context
    const { raw, method } = context.req
    // A method of HEAD is routed like GET.
    if (method !== 'GET' || SPECIAL.some((name) => raw.headers.has(name))) return router.fetch(raw, env)
    let outcome: ReadOutcome
    try {
      checkHost(raw)
      const caller = await authenticate(raw, env)
      const reading = read(context, caller)
      const answer = await unlessLate(reading, () => limit(context, async () => void (await reading)))
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

/**
 * What a promise resolves to. Its limit is set if it has not settled when the process turns to something else, which a read
 * from memory or from an embedded database has: a timer would be set for nothing. Rejects with what the limit rejects with.
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
  headers['x-request-id'] = crypto.randomUUID()
  return new Response(body, { headers })
}

/** The headers that all plain answers have, with places for those that each has of its own: adding them later takes longer. */
function commonHeaders({ headers }: Response): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, OWN.has(name) ? '' : value]))
}
