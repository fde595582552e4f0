import { MinionsError } from './errors.js'

/** More than any server takes; what is larger is refused before it is walked. */
const LONGEST_LIST = 1_000_000
const LONGEST_TEXT = 2 ** 25
const DEEPEST = 200

/** Reads the properties of an object once, so that getters of theirs cannot fail later; what is left out counts as empty. */
export function takeOptions<T extends object>(what: string, options: T | null | undefined): T {
  if (options === undefined || options === null) return {} as T
  if (typeof options !== 'object') throw invalid(`${what} must be an object.`)
  return reading(what, () => ({ ...options }))
}

/** A text that can stand in a header or an address. */
export function takeText<T extends string | undefined>(what: string, text: T): T {
  if (text === undefined) return text
  if (typeof text !== 'string' || text.length > 10_000 || !/^[\x20-\x7e\xa0-\xff]*$/.test(text)) {
    throw invalid(`${what} must be a text of one line in Latin letters, at most 10,000 characters.`)
  }
  return text
}

/** A signal of the platform, or none. */
export function takeSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || reading('`signal`', () => signal instanceof AbortSignal)) return
  throw invalid('`signal` must be an AbortSignal.')
}

/** One text or several. */
export function takeTexts(what: string, texts: string | readonly string[] | undefined): string[] {
  if (texts === undefined || typeof texts === 'string') return texts === undefined ? [] : [takeValue(what, texts)]
  return reading(what, () => {
    if (!Array.isArray(texts) || texts.length > 1000)
      throw invalid(`${what} must be a text, or a list of at most 1,000.`)
    return Array.from(texts, (text: unknown) => takeValue(what, text))
  })
}

/** A text that is encoded before it is sent. */
function takeValue(what: string, text: unknown): string {
  if (typeof text === 'string' && text.length <= 10_000) return text
  throw invalid(`${what} must be a text of at most 10,000 characters.`)
}

/** The input of an operation as JSON. */
export function toJson(input: unknown): string {
  const what = 'The input of an operation'
  return reading(what, () => {
    requireBounded(what, input, 0)
    const json: string | undefined = JSON.stringify(input)
    if (json === undefined) throw invalid(`${what} must be an object.`)
    return json
  })
}

function requireBounded(what: string, value: unknown, depth: number): void {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) throw invalid(`${what} holds too long a text.`)
  if (typeof value !== 'object' || value === null) return
  if (depth > DEEPEST) throw invalid(`${what} is nested too deep, or holds itself.`)
  if (Array.isArray(value) && value.length > LONGEST_LIST) throw invalid(`${what} holds too long a list.`)
  for (const key in value) requireBounded(what, (value as Record<string, unknown>)[key], depth + 1)
}

function reading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof MinionsError ? cause : invalid(`${what} cannot be read.`, cause)
  }
}

export function invalid(message: string, cause?: unknown): MinionsError {
  return new MinionsError('VALIDATION_FAILED', message, cause === undefined ? {} : { cause })
}
