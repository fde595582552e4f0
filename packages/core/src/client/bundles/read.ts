import { coreError } from '../../errors/codes.js'
import { messageOf } from '../../errors/message-of.js'
import { copyJson } from '../../json/copy-json.js'
import { jsonEqual } from '../../json/equal.js'
import type { JsonObject } from '../../json/json-value.js'
import type { RecordWrite } from '../../storage/backend.js'
import { type Collection, collectionFromDeclaration } from '../../storage/collection.js'
import type { CollectionDeclaration } from '../../storage/declaration.js'
import { assertUsableType } from '../../types/type-problems.js'
import { typesCollection } from '../collections.js'
import { BUNDLE_HEADER, damaged, LineSums } from './format.js'
import { type BundleSource, linesOf } from './lines.js'

/** A record of a bundle, with the constraints the store will enforce on it. */
export interface BundleRecord extends Pick<RecordWrite, 'key' | 'record' | 'columns' | 'references'> {
  readonly line: number
}

/** The contents of one collection in a bundle, by key. */
export interface BundleContent {
  readonly line: number
  readonly collection: Collection
  /** The version its records were written in. */
  readonly version: number
  readonly records: Map<string, BundleRecord>
}

/** State of the importing store. */
export interface Known {
  /** Collections with their schemas. */
  readonly collections: readonly Collection[]
  /** Declarations of all collections in the store, by name. */
  readonly stored: ReadonlyMap<string, CollectionDeclaration>
}

/** Reads a whole bundle and validates every line. Throws `INVALID_BUNDLE` for the first invalid line. */
export async function readBundle(known: Known, source: BundleSource): Promise<Map<string, BundleContent>> {
  const contents = new Map<string, BundleContent>()
  const sums = new LineSums()
  let line = 0
  let records = 0
  let ended = false
  for await (const text of linesOf(source)) {
    line += 1
    if (ended) throw damaged(line, 'there is data after the end line')
    const content = parseLine(text, line, sums)
    if (line === 1) {
      if (!jsonEqual(content, BUNDLE_HEADER))
        throw damaged(1, 'this is not a bundle, or its format version is not supported')
    } else if ('declaration' in content) {
      const { collection, version } = declared(content.declaration, known, line)
      if (contents.has(collection.name)) throw damaged(line, `"${collection.name}" is declared twice`)
      contents.set(collection.name, { line, collection, version, records: new Map() })
    } else if ('collection' in content) {
      records += 1
      readRecord(content, contents, line)
    } else {
      ended = content.end === true
      if (!ended || content.records !== records)
        throw damaged(line, 'the number of records does not match the end line')
    }
  }
  if (!ended) throw damaged(line + 1, 'the end line is missing')
  return contents
}

function parseLine(text: string, line: number, sums: LineSums): JsonObject {
  let parsed: JsonObject
  try {
    parsed = copyJson(JSON.parse(text) as JsonObject, 'The line')
  } catch (cause) {
    throw damaged(line, 'it is not JSON that can be stored', cause)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw damaged(line, 'it is not an object')
  const { sum, ...content } = parsed
  if (sum !== sums.next(content)) throw damaged(line, 'its checksum does not match')
  return content
}

/** The collection of a declaration, which must match that of the store, or be an earlier version known here. */
function declared(
  value: unknown,
  { collections, stored }: Known,
  line: number,
): Pick<BundleContent, 'collection' | 'version'> {
  try {
    const foreign = collectionFromDeclaration(value)
    const { name, declaration } = foreign
    const known = collections.find((collection) => collection.name === name)
    const existing = stored.get(name)
    const isEarlier = known !== undefined && declaration.version < known.declaration.version
    if (existing && !isEarlier && !jsonEqual(existing, declaration)) {
      throw damaged(line, `the store has the collection "${name}" in another version`)
    }
    return { collection: known ?? foreign, version: declaration.version }
  } catch (cause) {
    throw coreError.is(cause, 'INVALID_BUNDLE') ? cause : damaged(line, 'its declaration cannot be used', cause)
  }
}

function readRecord(content: JsonObject, contents: ReadonlyMap<string, BundleContent>, line: number): void {
  const target = contents.get(String(content.collection))
  if (!target) throw damaged(line, 'its collection has not been declared')
  let write: RecordWrite
  try {
    write = target.collection.upgrade(content.record as JsonObject, target.version)
    if (target.collection.name === typesCollection.name) assertUsableType(write.record)
  } catch (cause) {
    throw damaged(line, messageOf(cause), cause)
  }
  const { key, record, columns, references } = write
  if (target.records.has(key)) throw damaged(line, `"${key}" occurs twice`)
  target.records.set(key, { line, key, record, columns, references })
}
