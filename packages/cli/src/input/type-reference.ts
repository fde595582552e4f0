import { type Minions, type MinionType, nearestName } from '@minions/core'
import { cliError } from '../errors.js'
import { oneLine } from '../output/cell.js'
import { SHORTEST_PREFIX } from './references.js'

/** Maximum number of slugs in a message. */
const MOST_LISTED = 40

/** A type by its slug, id, name or an id prefix. Throws `NOT_FOUND` with the nearest one, or else a list of all. */
export function knownType({ types }: Pick<Minions, 'types'>, reference: string): MinionType {
  const all = types.list()
  const type = types.get(reference) ?? all.find(({ name }) => name.toLowerCase() === reference.toLowerCase())
  if (type) return type
  const begun = reference.length < SHORTEST_PREFIX ? [] : all.filter(({ id }) => id.startsWith(reference))
  if (begun[0] && begun.length === 1) return begun[0]
  const slugs = [...new Set(all.map(({ slug }) => slug))]
  const nearest = nearestName(reference, slugs)
  const more = slugs.length > MOST_LISTED ? ' and more' : ''
  const hint = nearest === undefined ? '' : ` did you mean "${nearest}"?`
  throw cliError(
    'NOT_FOUND',
    `There is no type "${oneLine(reference)}";${hint} There are ${slugs.slice(0, MOST_LISTED).join(', ')}${more}.`.replace(
      '; There',
      '; there',
    ),
    { details: { type: reference, ...(nearest !== undefined && { nearest }) } },
  )
}
