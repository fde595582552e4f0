import * as rules from 'typebox/format'

/** Strings longer than this fail every format except those that describe content, which bounds the work. */
const MAX_FORMATTED_LENGTH = 4096

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const TEXT: Readonly<Record<string, (text: string) => boolean>> = {
  date: rules.IsDate,
  time: rules.IsTime,
  'date-time': (text) =>
    rules.IsDate(text.slice(0, 10)) && /^[Tt]$/.test(text.charAt(10)) && rules.IsTime(text.slice(11)),
  duration: rules.IsDuration,
  email: rules.IsEmail,
  'idn-email': rules.IsIdnEmail,
  hostname: rules.IsHostname,
  'idn-hostname': rules.IsIdnHostname,
  ipv4: rules.IsIPv4,
  ipv6: rules.IsIPv6,
  uri: rules.IsUri,
  'uri-reference': rules.IsUriReference,
  'uri-template': rules.IsUriTemplate,
  iri: rules.IsIri,
  'iri-reference': rules.IsIriReference,
  url: rules.IsUrl,
  uuid: rules.IsUuid,
  'json-pointer': rules.IsJsonPointer,
  'json-pointer-uri-fragment': rules.IsJsonPointerUriFragment,
  'relative-json-pointer': rules.IsRelativeJsonPointer,
  regex: rules.IsRegex,
}

/** OpenAPI formats, common in tool schemas. */
const OPENAPI: Readonly<Record<string, Format>> = {
  byte: { on: 'string', test: (text: string) => BASE64.test(text) },
  binary: { on: 'string', test: () => true },
  password: { on: 'string', test: () => true },
  int32: { on: 'number', test: (number: number) => (number | 0) === number },
  int64: {
    on: 'number',
    test: (number: number) => Number.isInteger(number) && number >= -(2 ** 63) && number < 2 ** 63,
  },
  float: { on: 'number', test: () => true },
  double: { on: 'number', test: () => true },
}

/** A format, the kind of value it applies to, and a description, where the name is not enough. */
export interface Format {
  readonly on: 'string' | 'number'
  readonly test: (value: never) => boolean
  readonly message?: string
}

/** The formats that a schema may use; any other is refused. */
export const FORMATS: ReadonlyMap<string, Format> = new Map([
  ...Object.entries(TEXT).map(([name, test]) => [name, bounded(test)] as const),
  ...Object.entries(OPENAPI),
])

/** Names of the formats that a schema may use. */
export const SCHEMA_FORMATS: readonly string[] = [...FORMATS.keys()].sort()

function bounded(test: (text: string) => boolean): Format {
  return { on: 'string', test: (text: string) => text.length <= MAX_FORMATTED_LENGTH && test(text) }
}
