import { extensionPoint } from '../plugin/extension-point.js'
import type { Collection } from '../storage/collection.js'

/** Publishes changes in a collection to callers of doors: that a record changed, not its contents. */
export interface EventSource {
  readonly collection: Collection
  /** Name of the operation that reads its records: a caller allowed to run it may receive changes. */
  readonly operation: string
  /** Property of the record that names its tenant; callers confined to a tenant receive only its changes. */
  readonly tenant?: string
  /** Property that names the only caller to be notified. */
  readonly owner?: string
  /** Property that names the mission of the record, for filtering. */
  readonly mission?: string
  /** Property that names the topic of the record, for filtering. */
  readonly topic?: string
}

/** Extension point for collections whose changes callers may receive. */
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
