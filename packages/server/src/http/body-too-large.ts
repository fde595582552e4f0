import { serverError } from '../errors.js'

/** Throws `BODY_TOO_LARGE`. */
export function bodyTooLarge(): never {
  throw serverError('BODY_TOO_LARGE', 'The body has more bytes than the server takes; send less at once.')
}
