import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { serverError } from '../errors.js'

/** Throws `BODY_TOO_LARGE` for a larger body. */
export function limitBody(maxSize: number): MiddlewareHandler {
  const onError = (): never => {
    throw serverError('BODY_TOO_LARGE', 'The body is larger than the server accepts; send less at once.')
  }
  return bodyLimit({ maxSize, onError })
}
