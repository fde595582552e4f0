import type { Format, FormatDefinition } from 'ajv'
import { type FormatName, fullFormats } from 'ajv-formats/dist/formats.js'

/** Longer texts fail every format but the ones that describe content, so that no format can be made to run for long. */
const MAX_FORMATTED_LENGTH = 4096

const UNBOUNDED: ReadonlySet<string> = new Set(['byte', 'password', 'binary'])

/** The formats a schema may use; any other is refused when the schema is compiled. */
export const SCHEMA_FORMATS: readonly string[] = Object.keys(fullFormats).sort()

/** The formats as ajv takes them, with a limit on the length of text they look at. */
export const boundedFormats: Readonly<Record<string, Format>> = Object.fromEntries(
  Object.entries(fullFormats).map(([name, format]) => [name, bounded(name as FormatName, format)]),
)

function bounded(name: FormatName, format: Format): Format {
  if (UNBOUNDED.has(name) || typeof format === 'boolean' || typeof format === 'string') return format
  if (format instanceof RegExp) return (text: string) => text.length <= MAX_FORMATTED_LENGTH && format.test(text)
  if (typeof format === 'function') return (text: string) => text.length <= MAX_FORMATTED_LENGTH && format(text)
  if (format.type === 'number') return format
  const { validate } = format as FormatDefinition<string>
  const test = (text: string) => (typeof validate === 'function' ? validate(text) : new RegExp(validate).test(text))
  return { validate: (text: string) => text.length <= MAX_FORMATTED_LENGTH && test(text) }
}
