import { guarded } from '../errors/guard.js'
import { takeList } from '../errors/take.js'
import { getOrInsert } from '../json/get-or-insert.js'
import type { CollectionDeclaration } from './declaration.js'
import { RESERVED_WORDS } from './sql-reserved.js'

/** Maximum length of a name in UTF-8 bytes: PostgreSQL truncates longer ones silently, so that two could become one. */
const MAX_NAME_BYTES = 63

/**
 * Names of a collection in a SQL database: the declared ones wherever those need no quotes in any dialect. Names that
 * begin with an underscore are the store's own.
 */
export interface SqlNames {
  readonly table: string
  /** The key: its property if there is only one and no column has its name, else `_key`, its encoded string. */
  readonly key: string
  /** In the order of `declaration.columns`. */
  readonly columns: readonly string[]
  /** Keys of the records referred to, in the order of `declaration.references`. */
  readonly references: readonly string[]
  readonly doc: string
  /** Carries the version, so that a program that does not know about an upgrade fails instead of mixing records. */
  readonly revision: string
  /** The folded words of the text; carries the version of the folding. */
  readonly words: string
  /** A number for each record, where auxiliary tables refer to it by number. */
  readonly row: string
}

const known = new WeakMap<CollectionDeclaration, SqlNames>()

/** The names for a declaration, the same in every program and database. */
export const sqlNames = guarded(
  'sqlNames',
  (declaration: CollectionDeclaration): SqlNames => getOrInsert(known, declaration, () => findNames(declaration)),
)

/**
 * The name of an object that belongs to a collection's table: an index, a constraint, another table. `part` has no
 * underscore, so names are unique and never equal that of a table: no collection begins with an underscore.
 */
export const sqlPart = guarded('sqlPart', (collection: string, part: string): string => `_${collection}_${part}`)

/** A declared name that needs no quotes: letters, digits and underscores, not a reserved word, not too long. */
export const sqlName = guarded('sqlName', (declared: string): string => {
  const plain = declared.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_]+/gu, '_')
  const begun = /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`
  return cut(RESERVED_WORDS.has(begun.toLowerCase()) ? `${begun}_` : begun, MAX_NAME_BYTES)
})

/** Different for different collections: a name with a suffix makes way for one declared that way. */
function tableName(collection: string): string {
  if (RESERVED_WORDS.has(collection.replace(/_+$/, ''))) return `${collection}_`
  // SQLite reserves names with this prefix.
  return /^(c_)*sqlite_/.test(collection) ? `c_${collection}` : collection
}

function findNames(declaration: CollectionDeclaration): SqlNames {
  const { name, version, foldVersion, columns, references, key } = declaration
  const own = { row: '_row', doc: '_doc', revision: `_revision_v${version}`, words: `_words_${foldVersion}` }
  const taken = new Set([...Object.values(own), '_key'])
  const take = (wanted: string) => {
    const free = firstFree(sqlName(wanted), taken)
    taken.add(free.toLowerCase())
    return free
  }
  const columnNames = columns.map((column) => take(column.name))
  const [property = '', ...more] = takeList('The key', key)
  const keyName = sqlName(property)
  const isFree = more.length === 0 && !taken.has(keyName.toLowerCase())
  return {
    table: tableName(name),
    key: isFree ? take(property) : '_key',
    columns: columnNames,
    references: references.map((reference) => take(`_${reference.columns.join('_')}_in_${reference.collection}`)),
    ...own,
  }
}

/** Names that differ only in case are the same to most databases. */
function firstFree(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? '' : `_${count}`
    const candidate = cut(name, MAX_NAME_BYTES - suffix.length) + suffix
    if (!taken.has(candidate.toLowerCase())) return candidate
  }
}

/** The longest prefix that takes at most this many bytes, without splitting a character. */
function cut(name: string, bytes: number): string {
  const buffer = new Uint8Array(bytes)
  const { read } = new TextEncoder().encodeInto(name, buffer)
  return name.slice(0, read)
}
