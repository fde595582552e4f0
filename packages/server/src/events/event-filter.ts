import { permits } from '@minions/core/operations'
import { guarded, takeItems } from '@minions/core/plugin'
import type { Caller } from '../caller.js'
import { serverError } from '../errors.js'
import type { ServedApp } from '../served-app.js'
import type { ChangeEvent, Source } from './change-events.js'

/** True if a listener receives an event. */
export type WantsEvent = (event: ChangeEvent) => boolean

/** Names of the parameters that filter events. */
const PARAMETERS = ['collection', 'type', 'id', 'mission', 'topic'] as const

/**
 * The events that a caller requests and may see. One value of each parameter must match, and all parameters must match.
 * Nothing is seen once the key has expired. Throws `VALIDATION_FAILED` for parameters that do not exist, `NOT_FOUND` for
 * types and collections that do not.
 */
export function eventFilter(
  app: ServedApp,
  sources: ReadonlyMap<string, Source>,
  caller: Caller,
  parameters: URLSearchParams,
): WantsEvent {
  const unknown = [...parameters.keys()].find((name) => name !== 'since' && !isParameter(name))
  if (unknown !== undefined) {
    const list = [...PARAMETERS, 'since'].join(', ')
    throw serverError('VALIDATION_FAILED', `Events can be filtered by ${list}, not by "${unknown.slice(0, 100)}".`)
  }
  const chosen = (name: (typeof PARAMETERS)[number]) => {
    const values = parameters.getAll(name)
    return values.length === 0 ? undefined : new Set(values)
  }
  const [collections, ids, missions, topics] = [chosen('collection'), chosen('id'), chosen('mission'), chosen('topic')]
  for (const name of collections ?? []) if (!sources.has(name)) throw unknownCollection(name, sources)
  const minions = sources.get('minions')?.guard
  const readsMinions = minions !== undefined && permits(caller, minions)
  // To others, a type that exists is like one that does not.
  const typeIds =
    chosen('type') && new Set(parameters.getAll('type').flatMap((type) => (readsMinions ? [typeIdOf(app, type)] : [])))
  const isVisible = visibleTo(caller, sources)
  return (event) =>
    (!collections || collections.has(event.collection)) &&
    (!typeIds || (event.type !== undefined && typeIds.has(event.type))) &&
    (!ids || (typeof event.key === 'string' && ids.has(event.key))) &&
    (!missions || (event.mission !== undefined && missions.has(event.mission))) &&
    (!topics || (event.topic !== undefined && topics.has(event.topic))) &&
    isVisible(event) &&
    !hasExpired(caller)
}

/** True once the key of a caller has expired. */
export function hasExpired({ expiresAt }: Caller): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()
}

/** Events of collections whose operation the caller may run, within the caller's tenant, and the caller's own. */
export const visibleTo = guarded('visibleTo', (caller: Caller, sources: ReadonlyMap<string, Source>): WantsEvent => {
  const open = new Map(takeItems('The sources', sources).filter(([, { guard }]) => permits(caller, guard)))
  return ({ collection, tenant, owner }) => {
    const source = open.get(collection)
    if (!source) return false
    if (source.owner !== undefined && owner !== caller.by) return false
    if (source.tenant === undefined || caller.tenant === undefined) return true
    return tenant === caller.tenant
  }
})

function isParameter(name: string): name is (typeof PARAMETERS)[number] {
  return (PARAMETERS as readonly string[]).includes(name)
}

function typeIdOf(app: ServedApp, name: string): string {
  const type = app.registry.getBySlug(name) ?? app.registry.getById(name)
  if (type) return type.id
  throw serverError('NOT_FOUND', `There is no type "${name.slice(0, 100)}"; list the existing ones with types.list.`)
}

function unknownCollection(name: string, sources: ReadonlyMap<string, Source>): Error {
  const known = [...sources.keys()].join(', ')
  return serverError('NOT_FOUND', `There are no events for "${name.slice(0, 100)}"; choose one of ${known}.`)
}
