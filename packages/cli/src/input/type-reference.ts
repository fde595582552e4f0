import { type Minions, type MinionType, nearestName } from '@minions/core'
import { cliError } from '../errors.js'
import { oneLine } from '../output/cell.js'

/** As many slugs as a message lists. */
const MOST_LISTED = 40

/** A type by its slug, id or name. Throws `NOT_FOUND` with the nearest one, or else with all that there are. */
export function knownType({ types }: Pick<Minions, 'types'>, reference: string): MinionType {
  const all = types.list()
  const type = types.get(reference) ?? all.find(({ name }) => name.toLowerCase() === reference.toLowerCase())
  if (type) return type
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
