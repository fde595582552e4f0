import { type Minion, type Minions, nearestName } from '@minions/core'
import { cliError } from '../errors.js'
import { oneLine } from '../output/cell.js'

/** The candidates of a reference, with their names. */
interface Named {
  readonly id: string
  readonly name?: string | undefined
}

/** A kind of thing that a command line can refer to. */
export interface ReferenceKind<T> {
  /** In the singular, with its article: `a minion`. */
  readonly what: string
  /** The command that lists them all: `minions list`. */
  readonly list: string
  named(one: T): Named
}

/** Minimum length of an id prefix; shorter references are names. */
export const SHORTEST_PREFIX = 4
/** Maximum number of matches in a message. */
const MOST_LISTED = 5

/**
 * The candidate that a reference means: by id, by exact name, by id prefix, or by name ignoring case and with dashes
 * for spaces. Throws `NOT_FOUND` with the nearest name, or `AMBIGUOUS_REFERENCE` with the matches.
 */
export function pick<T>(reference: string, all: readonly T[], kind: ReferenceKind<T>): T {
  const named = all.map((one) => ({ one, ...kind.named(one) }))
  for (const matches of matchersOf(reference)) {
    const found = named.filter(matches)
    if (found.length > 1) throw ambiguous(reference, found, kind.what)
    if (found[0]) return found[0].one
  }
  throw unknown(
    reference,
    named.flatMap(({ name }) => (name === undefined ? [] : [name])),
    kind,
  )
}

/** The ways in which something may be meant, the surest first. */
function matchersOf(reference: string): ((row: Named) => boolean)[] {
  return [
    ({ id }) => id === reference,
    ({ name }) => name === reference,
    ({ id }) => reference.length >= SHORTEST_PREFIX && id.startsWith(reference),
    ({ name }) => name !== undefined && slugOf(name) !== '' && slugOf(name) === slugOf(reference),
  ]
}

/**
 * A minion by its id, an id prefix, or its title. A deleted minion matches only if no other does; for `restore` it is
 * the other way round. Throws `NOT_FOUND` or `AMBIGUOUS_REFERENCE`.
 */
export async function existing(app: Minions, reference: string, wanted: 'kept' | 'deleted' = 'kept'): Promise<Minion> {
  const exact = await app.get(reference)
  if (exact) return exact
  const candidates = await candidatesOf(app, reference)
  const preferred = candidates.filter(({ deletedAt }) => (deletedAt === undefined) === (wanted === 'kept'))
  const others = candidates.filter((minion) => !preferred.includes(minion))
  for (const some of [preferred, others]) {
    const isMeant = some.some((minion) => matchersOf(reference).some((matches) => matches(MINIONS.named(minion))))
    if (isMeant) return pick(reference, some, MINIONS)
  }
  // The titles of some minions may include the misspelt one.
  const some = await app.find({ orderBy: [{ field: 'updatedAt', direction: 'desc' }], limit: 200 })
  return pick(reference, some.items, MINIONS)
}

const MINIONS: ReferenceKind<Minion> = {
  what: 'a minion',
  list: 'minions list',
  named: ({ id, title }) => ({ id, name: title }),
}

/** Store queries compare exactly; `pick` chooses among the candidates. */
async function candidatesOf(app: Minions, reference: string): Promise<Minion[]> {
  const options = { includeDeleted: true, limit: 50 } as const
  const byTitle = await app.find({ where: { title: reference }, ...options })
  const found = [...byTitle.items]
  if (reference.length >= SHORTEST_PREFIX) {
    const where = { and: [{ id: { gte: reference } }, { id: { lt: `${reference}\u{10ffff}` } }] }
    found.push(...(await app.find({ where, ...options })).items)
  }
  const words = slugOf(reference).replaceAll('-', ' ')
  if (words !== '') found.push(...(await app.search(words, options)).items)
  return [...new Map(found.map((minion) => [minion.id, minion])).values()]
}

/** `Call Ada!` is `call-ada`. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

function ambiguous(reference: string, found: readonly Named[], what: string): Error {
  const listed = found
    .slice(0, MOST_LISTED)
    .map(({ id, name }) => (name === undefined ? id : `${id} (${oneLine(name)})`))
  const more = found.length > MOST_LISTED ? ` and ${found.length - MOST_LISTED} more` : ''
  return cliError(
    'AMBIGUOUS_REFERENCE',
    `"${oneLine(reference)}" matches more than one: ${listed.join(', ')}${more}; give the id of ${what}, or more of it.`,
    { details: { reference, ids: found.map(({ id }) => id) } },
  )
}

function unknown<T>(reference: string, names: readonly string[], { what, list }: ReferenceKind<T>): Error {
  const nearest = nearestName(reference, names)
  const hint = nearest === undefined ? `list them with: ${list}` : `did you mean "${oneLine(nearest)}"?`
  return cliError('NOT_FOUND', `There is no ${what.replace(/^an? /, '')} "${oneLine(reference)}"; ${hint}`, {
    details: { id: reference, ...(nearest !== undefined && { nearest }) },
  })
}
