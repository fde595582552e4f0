import { type CollectionDeclaration, columnIndex, MinionsError } from '@minions/core'
import { escapeIdentifier } from 'pg'

/** Longer names are cut by PostgreSQL without an error, so that two of them could become one. */
const MAX_NAME_BYTES = 63

/** Begins with an underscore, as no collection can. */
export const CATALOGUE = '_catalogue'

/** A name with its schema, quoted. */
export function qualified(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`
}

export const columnOf = (column: number): string => `column_${column}`

export const referenceOf = (reference: number): string => `reference_${reference}`

/**
 * The names of a collection in the database. The version is part of the table's name and that of the folding part of
 * its column's, so a program that does not know of an upgrade fails instead of writing what has become wrong.
 */
export class Table {
  readonly schema: string
  readonly declaration: CollectionDeclaration
  readonly name: string
  /** The name as SQL. */
  readonly sql: string
  /** The column of folded words; undefined when the collection has no text. */
  readonly words: string | undefined
  /** Positions of the columns of each ordered index. */
  readonly indexes: readonly (readonly number[])[]

  constructor(schema: string, declaration: CollectionDeclaration) {
    this.schema = schema
    this.declaration = declaration
    this.name = `${declaration.name}_v${declaration.version}`
    this.sql = qualified(schema, this.name)
    this.words = declaration.text === null ? undefined : `words_${declaration.foldVersion}`
    this.indexes = scalarIndexes(declaration)
  }

  /** The name of an index or constraint: `key`, `i0` (index), `u0` (unique), `f0` (reference), `r0` (referrers), `words`. */
  part(name: string): string {
    const whole = `${this.name}_${name}`
    if (Buffer.byteLength(whole) > MAX_NAME_BYTES) {
      throw new MinionsError(
        'INVALID_TYPE',
        `Name and version of the collection "${this.declaration.name}" are too long together for PostgreSQL; choose a shorter name.`,
        { details: { collection: this.declaration.name } },
      )
    }
    return whole
  }
}

/** Indexes of scalars, and of the creation time, by which records come unless asked otherwise. */
function scalarIndexes(declaration: CollectionDeclaration): number[][] {
  const { createdAt, indexes, columns } = declaration
  const hasCreatedAt = createdAt === null || indexes.some((names) => names.length === 1 && names[0] === createdAt)
  return [...indexes, ...(hasCreatedAt ? [] : [[createdAt]])]
    .map((names) => names.map((name) => columnIndex(declaration, name)))
    .filter((positions) => positions.every((position) => columns[position]?.type !== 'strings'))
}
