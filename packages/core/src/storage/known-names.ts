import { coreError } from '../errors/codes.js'
import { nearestName } from '../errors/nearest-name.js'
import { formatPath, type Path } from './path.js'

/** Property names with the names nested in each; undefined where any name is allowed. */
export type NameTree = ReadonlyMap<string, NameTree | undefined>

/** The keywords that determine which names an object may have. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
}

const LONGEST_QUOTE = 100

const LONGEST_LIST = 30

/** The properties that records may have, so that a query naming another one is refused instead of finding nothing. */
export class KnownNames {
  readonly #owner: string
  readonly #names: NameTree
  readonly #remedy: (path: Path) => string

  /** `owner` begins a message, e.g. `A minion`; `remedy` ends it. */
  constructor(owner: string, names: NameTree, remedy: (path: Path) => string = () => '') {
    this.#owner = owner
    this.#names = names
    this.#remedy = remedy
  }

  /** Throws `INVALID_QUERY`, with the nearest name, when no record has a property at a path. */
  require(path: Path): void {
    let names: NameTree | undefined = this.#names
    for (const [index, name] of path.entries()) {
      if (names === undefined) return
      if (!names.has(name)) throw this.#unknown(path.slice(0, index + 1), names)
      names = names.get(name)
    }
  }

  #unknown(path: Path, siblings: NameTree): Error {
    const nearest = this.#nearest(path)
    const text = formatPath(path).slice(0, LONGEST_QUOTE)
    const guess = nearest === undefined ? `it has ${listed(siblings)}.` : `did you mean "${nearest}"?`
    return coreError('INVALID_QUERY', `${this.#owner} has no "${text}"; ${guess}${this.#remedy(path)}`, {
      details: { path: text, ...(nearest !== undefined && { nearest }) },
    })
  }

  /** The path most likely meant, at any level; of two equally near paths the one at the same level. */
  #nearest(path: Path): string | undefined {
    const parent = formatPath(path.slice(0, -1))
    const isSibling = (other: Path) => formatPath(other.slice(0, -1)) === parent
    const paths = [...pathsIn(this.#names)].sort((a, b) => Number(isSibling(b)) - Number(isSibling(a)))
    const nearest = nearestName(lastOf(path), paths.map(lastOf))
    const found = paths.find((other) => lastOf(other) === nearest)
    return found && formatPath(found)
  }
}

/** The names of a JSON Schema that allows no others; undefined where it does. */
export function closedNames(schema: object | undefined): NameTree | undefined {
  const { properties, additionalProperties, patternProperties }: ObjectSchema = schema ?? {}
  if (properties === undefined || additionalProperties !== false || patternProperties !== undefined) return undefined
  return new Map(Object.entries(properties).map(([name, inner]) => [name, closedNames(inner)]))
}

function* pathsIn(names: NameTree, parent: Path = []): Generator<Path> {
  for (const [name, inner] of names) {
    const path = [...parent, name]
    yield path
    if (inner !== undefined) yield* pathsIn(inner, path)
  }
}

function lastOf(path: Path): string {
  return path.at(-1) ?? ''
}

function listed(names: NameTree): string {
  const first = [...names.keys()].slice(0, LONGEST_LIST).join(', ')
  return names.size > LONGEST_LIST ? `${first} and ${names.size - LONGEST_LIST} more` : first
}
