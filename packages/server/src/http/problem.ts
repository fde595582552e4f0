import { CORE_ERROR_CODES, isMinionsError, MinionsError } from '@minions/core'
import type { Logger } from '@minions/core/plugin'
import { HTTPException } from 'hono/http-exception'
import { type Static, Type } from 'typebox'
import { SERVER_ERROR_CODES, type ServerErrorCode, serverError } from '../errors.js'
import { jsonResponse } from './answer.js'
import { statusOf } from './status.js'

/** An error in the format of RFC 9457, with our code and details. */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({ description: 'A URI that identifies the code.', examples: ['urn:minions:problem:NOT_FOUND'] }),
    title: Type.String({ description: 'Meaning of the code.' }),
    status: Type.Integer({ description: 'The HTTP status.', examples: [404] }),
    code: Type.String({ description: 'Code of the error; does not change between versions.', examples: ['NOT_FOUND'] }),
    detail: Type.String({ description: 'What went wrong this time, and what to do about it.' }),
    instance: Type.String({ description: 'Id of the request, as in the log of the server.' }),
    details: Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'Facts about the error.' }),
  },
  { title: 'Problem' },
)

export type Problem = Static<typeof ProblemSchema>

const MEANINGS: Readonly<Record<string, string>> = { ...CORE_ERROR_CODES, ...SERVER_ERROR_CODES }

/** Codes of answers that the framework creates itself. */
const BY_STATUS: Readonly<Record<number, ServerErrorCode>> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'BODY_TOO_LARGE',
  504: 'TIMEOUT',
}

/** An error that can be shown to a caller: a foreign error reveals nothing internal. */
export function toRefusal(error: unknown): MinionsError {
  if (isMinionsError(error)) return error
  if (error instanceof HTTPException) {
    const code = BY_STATUS[error.status] ?? (error.status < 500 ? 'BAD_REQUEST' : 'INTERNAL')
    return serverError(code, error.message || SERVER_ERROR_CODES[code])
  }
  return new MinionsError('INTERNAL', 'An internal error occurred in the server.', { cause: error })
}

/** The problem document of an error. For a server error it contains no more than its code. */
export function problemOf(error: MinionsError, requestId: string): Problem {
  const status = statusOf(error.code)
  const title = Object.hasOwn(MEANINGS, error.code) ? MEANINGS[error.code] : undefined
  const isOurFault = status >= 500 && error.code !== 'STOPPING' && error.code !== 'TIMEOUT'
  return {
    type: `urn:minions:problem:${error.code}`,
    title: title ?? 'The operation was refused.',
    status,
    code: error.code,
    detail: isOurFault
      ? 'The server failed to process the request. Its log has details under the request id.'
      : error.message,
    instance: `urn:minions:request:${requestId}`,
    details: isOurFault ? {} : { ...error.details },
  }
}

/** The response for an error. Server errors are logged. */
export function problemResponse(error: unknown, requestId: string, logger: Logger): Response {
  const refusal = toRefusal(error)
  const problem = problemOf(refusal, requestId)
  if (problem.status >= 500) logger.error('A request failed.', { requestId, code: refusal.code, error })
  const { retryAfter, allow } = refusal.details
  return jsonResponse(
    problem,
    problem.status,
    {
      'Cache-Control': 'no-store',
      ...(problem.status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(typeof retryAfter === 'number' && { 'Retry-After': String(retryAfter) }),
      ...(problem.status === 503 && { 'Retry-After': '1' }),
      ...(problem.status === 405 && Array.isArray(allow) && { Allow: allow.join(', ') }),
    },
    'application/problem+json',
  )
}
