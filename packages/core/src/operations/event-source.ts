import { extensionPoint } from '../plugin/extension-point.js'
import type { Collection } from '../storage/collection.js'

/** Lets callers of doors hear of changes in a collection: that there was one, not what is in the record. */
export interface EventSource {
  readonly collection: Collection
  /** Name of the operation that reads its records: a caller that may run it may receive changes. */
  readonly operation: string
  /** Property of the record that names its tenant; callers that are confined to one hear of no other. */
  readonly tenant?: string
  /** Property that names the only caller who hears of it. */
  readonly owner?: string
  /** Property that names the mission it belongs to, by which listeners may choose. */
  readonly mission?: string
  /** Property that names the topic it belongs to, by which listeners may choose. */
  readonly topic?: string
}

/** Extension point for collections whose changes callers may hear of. */
export const eventSources = extensionPoint<EventSource>('@minions/core/event-sources', {
  key: ({ collection }) => collection.name,
  check: sourceProblem,
})

function sourceProblem(value: unknown): string | undefined {
  const { collection, operation } = (value ?? {}) as Partial<EventSource>
  if (typeof collection?.declaration?.name !== 'string') return '`collection` must come from defineCollection'
  if (typeof operation !== 'string') return `"${collection.name}" needs the name of the \`operation\` that reads it`
  return undefined
}
