import { coreError } from '../../errors/codes.js'
import { isMinionsError } from '../../errors/minions-error.js'
import { quote } from '../../errors/quote.js'
import { damaged } from './format.js'

/** Source of a bundle: a string, or chunks of text or bytes such as a stream yields. */
export type BundleSource =
  | string
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>
  | ReadableStream<string | Uint8Array>

/** Maximum length of a line: a record with its envelope. */
const MAX_LINE = 64 * 1024 * 1024

export async function* linesOf(source: BundleSource): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let line = 1
  for await (const piece of readable(source)) {
    requirePiece(piece)
    let text: string
    try {
      text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true })
    } catch (cause) {
      throw damaged(line, 'it is not UTF-8', cause)
    }
    // Only what is new is searched: a line may come in many pieces.
    const [first = '', ...others] = text.split('\n')
    const lines = others.length > 0 ? [rest + first, ...others] : []
    rest = lines.pop() ?? rest + first
    if (rest.length > MAX_LINE) throw damaged(line, 'it is too long')
    for (const complete of lines) {
      yield complete
      line += 1
    }
  }
  if (rest !== '') yield rest
}

/** The chunks of a source. An error while reading becomes the cause of the error thrown. */
async function* readable(source: BundleSource): AsyncIterable<string | Uint8Array> {
  try {
    yield* pieces(source)
  } catch (cause) {
    throw isMinionsError(cause) ? cause : coreError('INVALID_BUNDLE', 'This bundle cannot be read.', { cause })
  }
}

async function* pieces(source: BundleSource): AsyncIterable<string | Uint8Array> {
  if (typeof source === 'string') yield source
  else if (isObject(source) && 'getReader' in source) yield* readStream(source)
  else if (isObject(source) && (Symbol.asyncIterator in source || Symbol.iterator in source)) yield* source
  else throw coreError('VALIDATION_FAILED', 'A bundle is text or a stream of text or bytes.')
}

function requirePiece(piece: string | Uint8Array): void {
  if (typeof piece === 'string' || ArrayBuffer.isView(piece)) return
  throw coreError('VALIDATION_FAILED', `A bundle consists of text or bytes, not ${quote(piece)}.`)
}

function isObject(source: unknown): source is object {
  return typeof source === 'object' && source !== null
}

async function* readStream(stream: ReadableStream<string | Uint8Array>): AsyncIterable<string | Uint8Array> {
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}
