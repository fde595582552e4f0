import { isMinionsError } from '@minions/core'

const STATUS: Readonly<Record<string, number>> = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  MODEL_RATE_LIMITED: 429,
  CANCELLED: 499,
  MODEL_MISSING: 503,
  MODEL_TIMEOUT: 504,
}

/** An error in the format of the protocol, and its status. Foreign errors are not shown. */
export function errorBody(error: unknown): {
  readonly status: number
  readonly body: object
  readonly retryAfter?: number
} {
  if (!isMinionsError(error)) {
    return {
      status: 500,
      body: { error: { message: 'An internal error occurred.', type: 'server_error', param: null, code: 'INTERNAL' } },
    }
  }
  // A failed skill carries its own error.
  const code = typeof error.details.code === 'string' ? error.details.code : error.code
  const status = STATUS[code] ?? (code.startsWith('MODEL_') ? 502 : 500)
  const param = typeof error.details.param === 'string' ? error.details.param : null
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  const { retryAfterMs } = error.details
  return {
    status,
    body: { error: { message: error.message, type, param, code } },
    ...(typeof retryAfterMs === 'number' && { retryAfter: Math.ceil(retryAfterMs / 1000) }),
  }
}

export function errorResponse(error: unknown): Response {
  const { status, body, retryAfter } = errorBody(error)
  return Response.json(body, { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) } })
}
