import type { TSchema } from 'typebox'
import { coreError } from '../errors/codes.js'
import { guarded, guardMethods } from '../errors/guard.js'
import { takeList } from '../errors/take.js'
import { copyJson } from '../json/copy-json.js'
import type { JsonObject } from '../json/json-value.js'
import { inKeyOrder } from '../json/key-order.js'
import { pointerTo } from '../json/pointer.js'
import { asJsonSchema, type CompiledSchema } from '../validation/compile-schema.js'
import { describeIssues, type Issue } from '../validation/issue.js'
import { ownSchema } from '../validation/own-schema.js'
import type { SchemaType } from '../validation/schema-type.js'
import type { ColumnValue, RecordWrite } from './backend.js'
import {
  type CollectionDeclaration,
  CollectionDeclarationSchema,
  type ColumnDeclaration,
  type ColumnType,
  type ReferenceDeclaration,
} from './declaration.js'
import { decodeKey, encodeKey, encodeSingleKey, isKeyPart, type KeyPart, longerThan } from './key.js'
import { closedNames, KnownNames } from './known-names.js'
import { type Path, parsePath, valueAt } from './path.js'
import { PreparedWrite } from './prepared-write.js'
import { newRevision } from './revision.js'
import { FOLD_VERSION } from './text.js'

/** Maximum UTF-8 bytes of all values of one index entry: together with a key, what every database can hold. */
export const MAX_INDEX_BYTES = 1536

const NONE: readonly null[] = []

const declarationSchema = ownSchema(CollectionDeclarationSchema)

/** A column in a definition; a bare type is short for `{ type }`. */
export type ColumnDefinition =
  | ColumnType
  | {
      readonly type: ColumnType
      /** Defaults to the column's name. */
      readonly path?: string
      readonly required?: boolean
      /** Shorthand for an entry of `indexes` with only this column. */
      readonly indexed?: boolean
      /** Shorthand for an entry of `unique` with only this column. */
      readonly unique?: boolean
    }

/** The definition of a collection. */
export interface CollectionDefinition<Schema extends object = TSchema> {
  /** Lower-case letters, digits and underscores, at most 48. */
  readonly name: string
  /** Default: 1. Raise it when anything else here changes, and add an entry to `upgrades`. */
  readonly version?: number
  /**
   * Schema of the records: TypeBox, JSON Schema, or a Standard Schema that has a JSON Schema. If it allows no additional
   * properties, a query that names another property is refused.
   */
  readonly schema: Schema
  /** Property or properties that identify a record. */
  readonly key: string | readonly string[]
  readonly columns?: Readonly<Record<string, ColumnDefinition>>
  readonly indexes?: readonly (readonly string[])[]
  readonly unique?: readonly (readonly string[])[]
  readonly references?: readonly ReferenceDeclaration[]
  /** The column with the creation time of a record. */
  readonly createdAt?: string
  /** Path of the searchable text. */
  readonly text?: string
  /** `upgrades[n]` turns a record of version n into one of version n + 1; without an entry the record is unchanged. */
  readonly upgrades?: Readonly<Record<number, (record: JsonObject) => JsonObject>>
  /** Recomputes derived properties of a record edited by hand. */
  readonly derive?: (record: JsonObject) => JsonObject
  /**
   * The records are derived from other collections, such as an index: bundles leave them out, and the plugin that
   * declares the collection rebuilds them in `onImport`.
   */
  readonly derived?: boolean
}

/** The record type of a collection. */
export type RecordOf<C> = C extends Collection<infer T> ? T : never

/**
 * A declared collection: its declaration, and the conversion of records to writes. It is generic over the record, not
 * over the schema: comparing schemas would be a hundred times as expensive for the compiler.
 */
export class Collection<out T = unknown> {
  readonly name: string
  readonly declaration: CollectionDeclaration
  /** The properties that a query may name; undefined: any. */
  readonly names: KnownNames | undefined
  /** The records are derived from other collections, so bundles leave them out. */
  readonly derived: boolean
  readonly #columnPaths: readonly Path[]
  readonly #keyPaths: readonly Path[]
  /** The single key property, if the key consists of only one. */
  readonly #keyName: string | undefined
  readonly #textPath: Path | undefined
  readonly #limited: readonly (readonly number[])[]
  readonly #upgrades: Readonly<Record<number, (record: JsonObject) => JsonObject>>
  readonly #derive: ((record: JsonObject) => JsonObject) | undefined
  readonly #schema: object | undefined
  readonly #compiled: (() => CompiledSchema) | undefined

  constructor(
    declaration: CollectionDeclaration,
    schema?: object,
    upgrades: Readonly<Record<number, (record: JsonObject) => JsonObject>> = {},
    derive?: (record: JsonObject) => JsonObject,
    names?: KnownNames,
    derived = false,
  ) {
    const { name, textPath, columnPaths, keyPaths, limited } = partsOf(declaration)
    this.name = name
    this.declaration = declaration
    this.names = names ?? namesIn(declaration, schema)
    this.derived = derived
    this.#columnPaths = columnPaths
    this.#keyPaths = keyPaths
    const [path, ...more] = this.#keyPaths
    this.#keyName = path?.length === 1 && more.length === 0 ? path[0] : undefined
    this.#textPath = textPath
    this.#limited = limited
    this.#schema = schema
    this.#compiled = schema && ownSchema(schema)
    this.#upgrades = upgrades
    this.#derive = derive
  }

  /** The same collection, with queries restricted to some properties. */
  naming(names: KnownNames): Collection<T> {
    return new Collection(this.declaration, this.#schema, this.#upgrades, this.#derive, names, this.derived)
  }

  /** The key properties of a record, in declaration order. */
  keyParts(record: T): KeyPart[] {
    return this.#keyPaths.map((_, index) => this.#keyPart(record, index))
  }

  /** The key of a record. */
  keyOf(record: T): string {
    return this.#keyOf(record)
  }

  /** Like `keyOf`, for a record that was checked when it was written. */
  keyOfStored(record: JsonObject): string {
    const part = this.#keyName === undefined ? undefined : record[this.#keyName]
    return typeof part === 'string' ? part : this.#keyOf(record as T)
  }

  /** Encodes key properties given in declaration order. */
  encodeKey(...parts: KeyPart[]): string {
    return encodeKey(parts, this.name)
  }

  /** A key as accepted by `get`: the property, or all of them in order. */
  decodeKey(key: string): KeyPart | KeyPart[] {
    return this.#keyPaths.length === 1 ? key : decodeKey(key)
  }

  /** Copies and validates a record and extracts what a backend indexes. Throws `VALIDATION_FAILED`. */
  toWrite(record: T, revision: string, expect?: string | null): RecordWrite {
    const copy = copyJson(record, `A record of "${this.name}"`) as JsonObject
    const schema = this.#compiled?.()
    if (schema !== undefined && !schema.check(copy)) throw this.#mismatch(schema.issues(copy))
    return this.#extract(copy, revision, expect)
  }

  /** Like `toWrite`, for a record that was validated when written and is not shared: sorted, but not validated. */
  fromStored(record: JsonObject, revision: string): RecordWrite {
    return this.#extract(inKeyOrder(record), revision, undefined)
  }

  /** Upgrades a stored record of an older version, with a new revision. Expects that no record exists. */
  upgrade(record: JsonObject, fromVersion: number): RecordWrite {
    let current = record
    for (let version = fromVersion; version < this.declaration.version; version++) {
      current = this.#upgrades[version]?.(current) ?? current
    }
    return this.toWrite(current as T, newRevision(), null)
  }

  /** A record that matches the schema, with derived properties updated. */
  derive(record: JsonObject): JsonObject {
    return this.#derive?.(record) ?? record
  }

  #keyOf(record: T): string {
    if (this.#keyPaths.length === 1) return encodeSingleKey(this.#keyPart(record, 0), this.name)
    return encodeKey(this.keyParts(record), this.name)
  }

  #keyPart(record: T, index: number): KeyPart {
    const part = valueAt(record, this.#keyPaths[index] as Path)
    if (isKeyPart(part)) return part
    throw this.#refuse(this.declaration.key[index] ?? '', 'is part of the key and must be a string or an integer')
  }

  #mismatch(errors: readonly Issue[]): Error {
    const message = `A record of "${this.name}" does not match its schema: ${describeIssues(errors, 'it')}.`
    return coreError('VALIDATION_FAILED', message, { details: { collection: this.name, errors } })
  }

  #extract(record: JsonObject, revision: string, expect: string | null | undefined): RecordWrite {
    const columns = this.#extractColumns(record)
    const text = this.#textPath && valueAt(record, this.#textPath)
    const { references } = this.declaration
    return new PreparedWrite(
      this.#keyOf(record as T),
      revision,
      record,
      columns,
      references.length === 0 ? NONE : references.map((reference) => this.#follow(reference, columns)),
      typeof text === 'string' ? text : '',
      expect,
    )
  }

  #extractColumns(record: JsonObject): ColumnValue[] {
    let length = 0
    const { columns } = this.declaration
    const values: ColumnValue[] = new Array(columns.length)
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index] as ColumnDeclaration
      const value = valueAt(record, this.#columnPaths[index] as Path) ?? null
      if (value === null) {
        if (column.required) throw this.#refuse(column.path, 'is missing and required')
      } else if (!hasType(value, column.type)) {
        throw this.#refuse(column.path, `is not of type ${column.type}`)
      } else if (typeof value === 'string') {
        length += value.length
      }
      values[index] = value as ColumnValue
    }
    // At most three bytes per unit, so nearly always no encoding is needed.
    if (length * 3 > MAX_INDEX_BYTES) this.#checkIndexes(values)
    return values
  }

  #checkIndexes(values: readonly ColumnValue[]): void {
    for (const index of this.#limited) {
      const text = index.map((column) => (typeof values[column] === 'string' ? values[column] : '')).join('')
      if (!longerThan(text, MAX_INDEX_BYTES)) continue
      const names = index.map((column) => this.declaration.columns[column]?.path).join(', ')
      throw this.#refuse(names, `is longer than the ${MAX_INDEX_BYTES} bytes that an index can hold`)
    }
  }

  #follow(reference: ReferenceDeclaration, columns: readonly ColumnValue[]): string | null {
    const columnValue = (name: string) => columns[columnIndexUnchecked(this.declaration, name)] ?? null
    const { when } = reference
    if (when && ('eq' in when ? columnValue(when.column) !== when.eq : columnValue(when.column) === when.ne))
      return null
    const parts = reference.columns.map(columnValue)
    return parts.includes(null) ? null : encodeKey(parts as KeyPart[], reference.collection)
  }

  #refuse(path: string, message: string): Error {
    const pointer = parsePath(path).reduce(pointerTo, '')
    return coreError('VALIDATION_FAILED', `A record of "${this.name}" cannot be stored: ${path} ${message}.`, {
      details: { collection: this.name, pointer, errors: [{ pointer, code: 'column', message }] },
    })
  }
}

const partsOf = guarded(
  'A collection',
  (declaration: CollectionDeclaration) => ({
    name: declaration.name,
    textPath: declaration.text === null ? undefined : parsePath(declaration.text),
    columnPaths: declaration.columns.map((column) => parsePath(column.path)),
    keyPaths: declaration.key.map(parsePath),
    limited: [...takeList('The indexes', declaration.indexes), ...takeList('`unique`', declaration.unique)].map(
      (names) => names.map((name) => columnIndex(declaration, name)),
    ),
  }),
  { checksInside: true },
)

/** A schema without additional properties names all properties. */
const namesIn = guarded('A collection', (declaration: CollectionDeclaration, schema: object | undefined) => {
  const names = closedNames(schema && asJsonSchema(schema))
  return names && new KnownNames(`A record of "${declaration.name}"`, names)
})

// Of a record they read single properties; `toWrite` copies what it is given, and so finds out whether it can be read.
guardMethods(Collection, { skipsInside: ['keyOf', 'keyOfStored', 'keyParts'], except: ['toWrite'] })

/** Declares a collection. Throws `INVALID_TYPE` when the definition contradicts itself. */
export const defineCollection = guarded('defineCollection', defineCollectionUnchecked, { checksInside: true })

function defineCollectionUnchecked<const Schema extends object>(
  definition: CollectionDefinition<Schema>,
): Collection<SchemaType<Schema>> {
  const columns = Object.entries(definition.columns ?? {}).map(([name, column]) => ({
    name,
    ...(typeof column === 'string' ? { type: column } : column),
  }))
  const alone = (flag: 'indexed' | 'unique') =>
    columns.filter((column) => flag in column && column[flag]).map((column) => [column.name])
  const declaration: CollectionDeclaration = {
    name: definition.name,
    version: definition.version ?? 1,
    key: typeof definition.key === 'string' ? [definition.key] : definition.key,
    columns: columns.map(({ name, type, ...rest }): ColumnDeclaration => {
      const { path = name, required = false } = rest as { path?: string; required?: boolean }
      return { name, path, type, required }
    }),
    indexes: [...alone('indexed'), ...takeList('The indexes', definition.indexes ?? [])],
    unique: [...alone('unique'), ...takeList('`unique`', definition.unique ?? [])],
    references: definition.references ?? [],
    createdAt: definition.createdAt ?? null,
    text: definition.text ?? null,
    foldVersion: FOLD_VERSION,
  }
  checkDeclaration(declaration)
  const { schema, upgrades, derive, derived } = definition
  return new Collection(copyJson(declaration), schema, upgrades, derive, undefined, derived)
}

/** A collection as described by a store or bundle, without the schema and upgrades of the package that declared it. */
export const collectionFromDeclaration = guarded('collectionFromDeclaration', (value: unknown): Collection => {
  if (!declarationSchema().check(value)) {
    throw coreError('INVALID_TYPE', 'This is not a collection declaration.')
  }
  checkDeclaration(value)
  return new Collection(copyJson(value))
})

/** Position of a column in a declaration; throws `INVALID_TYPE` when there is none of that name. */
export const columnIndex = guarded('columnIndex', columnIndexUnchecked)

function columnIndexUnchecked(declaration: CollectionDeclaration, name: string): number {
  const index = declaration.columns.findIndex((column) => column.name === name)
  if (index < 0) throw invalid(declaration, `it has no column "${name}"`)
  return index
}

function checkDeclaration(declaration: CollectionDeclaration): void {
  const namePattern = /^[a-z][a-z0-9_]{0,47}$/
  if (!namePattern.test(declaration.name)) {
    throw invalid(declaration, 'a name is 1 to 48 lower-case letters, digits and underscores, letter first')
  }
  if (!Number.isSafeInteger(declaration.version) || declaration.version < 1) {
    throw invalid(declaration, 'its version must be a positive integer')
  }
  if (declaration.key.length === 0) throw invalid(declaration, 'it has no key')
  const typeOf = (name: string) => declaration.columns[columnIndex(declaration, name)]?.type
  const scalars = [
    ...declaration.unique.flat(),
    ...declaration.references.flatMap((reference) => reference.columns),
    ...(declaration.createdAt === null ? [] : [declaration.createdAt]),
  ]
  for (const name of scalars) {
    if (typeOf(name) === 'strings') throw invalid(declaration, `column "${name}" holds lists`)
  }
  for (const index of declaration.indexes) {
    if (index.length > 1 && index.some((name) => typeOf(name) === 'strings')) {
      throw invalid(declaration, `an index over a list column must not have other columns`)
    }
  }
  for (const reference of declaration.references) {
    if (reference.when && typeOf(reference.when.column) !== 'string') {
      throw invalid(declaration, 'the `when` of a reference must name a string column')
    }
  }
}

function hasType(value: unknown, type: ColumnType): boolean {
  if (type !== 'strings') return typeof value === type
  return Array.isArray(value) && value.every((element) => typeof element === 'string')
}

function invalid(declaration: CollectionDeclaration, problem: string): Error {
  return coreError('INVALID_TYPE', `The declaration of the collection "${declaration.name}" is invalid: ${problem}.`, {
    details: { collection: declaration.name },
  })
}
