import { MinionsError } from './errors.js'

/** More than any server accepts; larger values are refused before they are traversed. */
const LONGEST_LIST = 1_000_000
const LONGEST_TEXT = 2 ** 25
const DEEPEST = 200

/** Reads the properties of an object once, so that getters cannot fail later; a missing object counts as empty. */
export function takeOptions<T extends object>(what: string, options: T | null | undefined): T {
  if (options === undefined || options === null) return {} as T
  if (typeof options !== 'object') throw invalid(`${what} must be an object.`)
  return reading(what, () => ({ ...options }))
}

/** A string that is safe in a header or an address. */
export function takeText<T extends string | undefined>(what: string, text: T): T {
  if (text === undefined) return text
  if (typeof text !== 'string' || text.length > 10_000 || !/^[\x20-\x7e\xa0-\xff]*$/.test(text)) {
    throw invalid(`${what} must be a single-line Latin-1 string of at most 10,000 characters.`)
  }
  return text
}

export function takeSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || reading('`signal`', () => signal instanceof AbortSignal)) return
  throw invalid('`signal` must be an AbortSignal.')
}

export function takeTexts(what: string, texts: string | readonly string[] | undefined): string[] {
  if (texts === undefined || typeof texts === 'string') return texts === undefined ? [] : [takeValue(what, texts)]
  return reading(what, () => {
    if (!Array.isArray(texts) || texts.length > 1000)
      throw invalid(`${what} must be a string, or a list of at most 1,000 strings.`)
    return Array.from(texts, (text: unknown) => takeValue(what, text))
  })
}

/** A string that is encoded before it is sent. */
function takeValue(what: string, text: unknown): string {
  if (typeof text === 'string' && text.length <= 10_000) return text
  throw invalid(`${what} must be a string of at most 10,000 characters.`)
}

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
  if (typeof value === 'string' && value.length > LONGEST_TEXT)
    throw invalid(`${what} contains a string that is too long.`)
  if (typeof value !== 'object' || value === null) return
  if (depth > DEEPEST) throw invalid(`${what} is nested too deeply, or contains itself.`)
  if (Array.isArray(value) && value.length > LONGEST_LIST) throw invalid(`${what} contains a list that is too long.`)
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
