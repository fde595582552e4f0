import { serverError } from '../errors.js'

/** Throws `BODY_TOO_LARGE`. */
export function bodyTooLarge(): never {
  throw serverError('BODY_TOO_LARGE', 'The body is larger than the server accepts; send less at once.')
}
