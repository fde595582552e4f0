import type { MinionType } from '@minions/core'
import { dependencyOrder } from '@minions/core/coordination'
import type { Plugin, PluginType } from '@minions/core/plugin'
import { describeIssues, typeProblems } from '@minions/core/schema'
import { builtinTypes, minionTypeType } from '@minions/core/types'
import { hostError } from '../errors.js'

/** The provider of a type, for messages: a plugin by name, or a built-in type. */
type Owned = Exclude<PluginType, MinionType> & { readonly owner: string }

/**
 * All types of an app, in an order in which they can be registered: a type that takes over a slug comes after the one
 * it takes it from. Throws when two types have the same id, or the same slug and neither takes it over from the other.
 */
export function gatherTypes(plugins: readonly Plugin[], given: readonly PluginType[]): PluginType[] {
  const builtin = [...builtinTypes, minionTypeType].map((type) => owned('@minions/core', type))
  const added = [
    ...given.map((type) => owned('the app', type)),
    ...plugins.flatMap(({ ref, types = [] }) => types.map((type) => owned(ref.name, type))),
  ]
  const byId = new Map<string, Owned>()
  for (const entry of [...builtin, ...added]) {
    checkUsable(entry)
    const other = byId.get(entry.type.id)
    if (other) throw clash('TYPE_CLASH', 'id', entry.type.id, other, entry)
    byId.set(entry.type.id, entry)
  }
  checkSlugs([...builtin, ...added], byId)
  return inOrder(added, byId).map(({ owner: _, ...entry }) => entry)
}

function owned(owner: string, entry: PluginType): Owned {
  return 'type' in entry ? { owner, ...entry } : { owner, type: entry }
}

function checkUsable({ owner, type }: Owned): void {
  if (owner === '@minions/core') return
  const errors = typeProblems(type)
  if (errors.length === 0) return
  const why = describeIssues(errors, 'it', 1)
  throw hostError('PLUGIN_INVALID', `The type "${type?.id}" of "${owner}" cannot be used: ${why}.`, {
    details: { plugins: [owner], id: type?.id ?? null, pointer: errors[0]?.pointer, errors },
  })
}

/** A slug may be handed on from type to type, but each must take it from a different one, and the first from none. */
function checkSlugs(entries: readonly Owned[], byId: ReadonlyMap<string, Owned>): void {
  const takers = new Map<string, Owned>()
  for (const entry of entries) {
    const { owner, type, takesSlugOf } = entry
    if (takesSlugOf !== undefined) {
      const from = byId.get(takesSlugOf)
      if (!from || from === entry || from.type.slug !== type.slug) {
        const problem = from ? `which has the slug "${from.type.slug}"` : 'which no plugin provides'
        const message = `The type "${type.id}" of "${owner}" takes over the slug "${type.slug}" of "${takesSlugOf}", ${problem}.`
        throw hostError('SLUG_UNKNOWN', message, {
          details: { plugins: from ? [from.owner, owner] : [owner], id: type.id, takesSlugOf },
        })
      }
    }
    const slot = takesSlugOf === undefined ? `slug ${type.slug}` : `type ${takesSlugOf}`
    const other = takers.get(slot)
    if (other) throw clash('SLUG_CLASH', 'slug', type.slug, other, entry)
    takers.set(slot, entry)
  }
}

function inOrder(entries: readonly Owned[], byId: ReadonlyMap<string, Owned>): Owned[] {
  const added = new Set(entries)
  const { order, cycle } = dependencyOrder(entries, ({ takesSlugOf }) => {
    const from = takesSlugOf === undefined ? undefined : byId.get(takesSlugOf)
    return from && added.has(from) ? [from] : []
  })
  if (order) return [...order]
  const [last, entry] = cycle.slice(-2) as [Owned, Owned]
  throw clash('SLUG_CLASH', 'slug', entry.type.slug, last, entry)
}

function clash(code: 'TYPE_CLASH' | 'SLUG_CLASH', what: 'id' | 'slug', value: string, a: Owned, b: Owned): Error {
  const remedy = what === 'slug' ? `; set takesSlugOf: "${a.type.id}" if "${b.type.id}" is to replace it` : ''
  return hostError(code, `"${a.owner}" and "${b.owner}" both provide a type with the ${what} "${value}"${remedy}.`, {
    details: { plugins: [a.owner, b.owner], [what]: value },
  })
}
