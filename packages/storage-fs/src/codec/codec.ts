import type { JsonObject } from '@minions/core/json'
import { jsonCodec } from './json.js'
import { yamlCodec } from './yaml.js'

/** Formats of record files. */
export type FileFormat = 'json' | 'yaml'

/** A file format. `decode` turns the output of `encode` back into exactly the same record. */
export interface Codec {
  readonly format: FileFormat
  readonly extension: string
  /** The same text for the same record, regardless of key order. */
  encode(record: JsonObject): string
  /** Throws when the text is not one document in this format. Does not check whether it is a record. */
  decode(text: string): unknown
}

export const codecs: Readonly<Record<FileFormat, Codec>> = { json: jsonCodec, yaml: yamlCodec }
