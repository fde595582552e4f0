import { isRecord, type JsonObject, jsonEqual } from '@minions/core/json'
import { parseYaml } from '@minions/files/yaml'
import { stringify } from 'yaml'
import { invalid } from './read-messages.js'

const FENCED = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/

/** A text with front matter: YAML between two lines of dashes, then the body. */
export interface FrontMatter {
  readonly data: JsonObject
  readonly body: string
}

/** Throws `IMPORT_INVALID`. */
export function readFrontMatter(format: string, text: unknown): FrontMatter {
  if (typeof text !== 'string') throw invalid(format, 'it is not a string')
  const match = FENCED.exec(text)
  if (!match) return { data: {}, body: text }
  return { data: readYaml(format, match[1] ?? ''), body: text.slice(match[0].length) }
}

/** An object from YAML. Throws `IMPORT_INVALID`. */
export function readYaml(format: string, text: string): JsonObject {
  let value: unknown
  try {
    value = parseYaml(text) ?? {}
  } catch (cause) {
    throw invalid(format, `its YAML cannot be read: ${(cause as Error).message.split('\n')[0]}`, cause)
  }
  if (isRecord(value)) return value as JsonObject
  throw invalid(format, 'its YAML is not a mapping')
}

export function writeFrontMatter({ data, body }: { readonly data: object; readonly body: string }): string {
  return `---\n${writeYaml(data)}---\n${body}`
}

/** YAML of an object of JSON. */
export function writeYaml(data: object): string {
  const options = { lineWidth: 0, aliasDuplicateObjects: false }
  const text = stringify(data, options)
  // A few white-space strings do not survive as blocks.
  return jsonEqual(parseYaml(text), data) ? text : stringify(data, { ...options, blockQuote: false })
}
