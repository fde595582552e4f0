import type { JsonObject } from '@minions/core/json'
import { jsonCodec } from './json.js'
import { yamlCodec } from './yaml.js'

/** How records are written to files. */
export type FileFormat = 'json' | 'yaml'

/** A format of files. What `encode` makes of a record, `decode` turns back into exactly that record. */
export interface Codec {
  readonly format: FileFormat
  readonly extension: string
  /** The same text for the same record, whatever the order of its keys. */
  encode(record: JsonObject): string
  /** Throws when the text is not one document in this format. Whether that is a record is not its concern. */
  decode(text: string): unknown
}

export const codecs: Readonly<Record<FileFormat, Codec>> = { json: jsonCodec, yaml: yamlCodec }
