import { getOrInsert } from '@minions/core/json'
import type { Operation } from '@minions/core/operations'
import { serverError } from '../errors.js'
import { type ParameterKind, parameterKind, propertiesOf } from './parameters.js'
import { type QueryPair, queryPairs } from './query-pairs.js'

const decoder = new TextDecoder('utf-8', { fatal: true })

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i

/** The input of an operation from the body of a request. An empty body is an empty object. */
export async function readBody(request: Request): Promise<unknown> {
  const { headers } = request
  if (!JSON_TYPE.test(headers.get('content-type') ?? '')) {
    throw unsupported('The body must be JSON in UTF-8; send `Content-Type: application/json`.')
  }
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw unsupported('The body must not be compressed; send it without `Content-Encoding`.')
  }
  const bytes = await request.arrayBuffer()
  if (bytes.byteLength === 0) return {}
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (cause) {
    throw serverError('INVALID_JSON', 'The body is not valid UTF-8.', { cause })
  }
  return parseJson(text, 'The body')
}

function unsupported(message: string): Error {
  return serverError('UNSUPPORTED_MEDIA_TYPE', message)
}

/** Reads the input of an operation from the query of a URL. Throws `VALIDATION_FAILED` or `INVALID_JSON`. */
export type ReadQuery = (url: string) => Record<string, unknown>

/** Prepares to read query parameters of an operation, each as the schema of its property says. */
export function queryReader({ name, input }: Operation): ReadQuery {
  const kinds = new Map(Object.entries(propertiesOf(input)).map(([each, schema]) => [each, parameterKind(schema)]))
  const kindOf = (parameter: string) => kinds.get(parameter) ?? unknownParameter(name, parameter, kinds.keys())
  return (url) => {
    const at = url.indexOf('?')
    if (at < 0) return {}
    const pairs = queryPairs(url.slice(at + 1))
    const read: Record<string, unknown> = {}
    for (const [parameter, values] of grouped(pairs))
      read[parameter] = readParameter(kindOf(parameter), parameter, values)
    return read
  }
}

/** The values of each parameter. Most reads have one parameter, and nothing to group. */
function grouped(pairs: readonly QueryPair[]): Iterable<readonly [name: string, values: readonly string[]]> {
  const [only] = pairs
  if (only && pairs.length === 1) return [[only[0], [only[1]]]]
  const given = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    getOrInsert(given, name, () => []).push(value)
  }
  return given
}

function unknownParameter(operation: string, parameter: string, known: Iterable<string>): never {
  throw serverError(
    'VALIDATION_FAILED',
    `The operation "${operation}" has no parameter "${parameter.slice(0, 100)}"; it takes ${[...known].join(', ') || 'none'}.`,
  )
}

function readParameter(kind: ParameterKind, name: string, values: readonly string[]): unknown {
  if (kind.isList) return values.map((value) => readValue(kind, name, value))
  const [value = ''] = values
  if (values.length === 1) return readValue(kind, name, value)
  throw serverError('VALIDATION_FAILED', `The parameter "${name}" is given ${values.length} times and takes one value.`)
}

/** A string stays as it is; an invalid number or boolean stays a string, which the schema refuses. */
function readValue({ type }: ParameterKind, name: string, value: string): unknown {
  if (type === 'string') return value
  if (type === 'json') return parseJson(value, `The parameter "${name}"`)
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : value
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw serverError('INVALID_JSON', `${what} is not valid JSON: ${(cause as Error).message.slice(0, 200)}.`, {
      cause,
    })
  }
}
