import { defineErrors } from '@minions/core'

/** Every code that the server answers with, besides those of operations, with its meaning. */
export const SERVER_ERROR_CODES = {
  UNAUTHENTICATED: 'The request has no key, or one that is unknown, expired or revoked.',
  FORBIDDEN: 'The caller may not do this.',
  HOST_REFUSED: 'The request names a host that this server does not answer for.',
  ORIGIN_REFUSED: 'The request comes from a web page of another origin.',
  RATE_LIMITED: 'The caller sent too many requests; `Retry-After` says when to try again.',
  NOT_FOUND: 'There is no such resource.',
  METHOD_NOT_ALLOWED: 'The method is not one of those in `Allow`.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON, does not say that it is, or is compressed.',
  INVALID_JSON: 'The body or a query parameter cannot be read as JSON.',
  BAD_REQUEST: 'The request cannot be understood.',
  HEADERS_TOO_LARGE: 'The headers are larger than the server accepts.',
  REQUEST_TOO_SLOW: 'The request took too long to arrive.',
  BODY_TOO_LARGE: 'The body is larger than the server accepts.',
  TIMEOUT: 'The answer took too long to produce.',
  CANNOT_LISTEN: 'The address or port to serve on is not available.',
  STOPPING: 'The server is about to stop.',
  INTERNAL: 'An internal error occurred in the server; the log has details under the request id.',
  IDEMPOTENCY_MISMATCH: 'The idempotency key was used for another request.',
  IN_PROGRESS: 'The same request is still in progress; try again later.',
  OUTCOME_UNKNOWN:
    'The server stopped while it was processing the same request, which may or may not have been carried out.',
  ANSWER_NOT_KEPT: 'The request was carried out, but its answer is not kept.',
  RUN_INTERRUPTED: 'The process ended before it completed the work.',
  VALIDATION_FAILED: 'The input breaks a rule.',
  CAPABILITY_MISSING: 'The app was opened without the plugin `server()`.',
}
export type ServerErrorCode = keyof typeof SERVER_ERROR_CODES

/** Creates a `MinionsError` with one of this package's codes. */
export const serverError = defineErrors(SERVER_ERROR_CODES)
