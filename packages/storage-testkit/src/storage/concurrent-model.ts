import type { Store } from '@minions/core/storage'
import { accounts, owners, pets, plain } from './collections.js'
import type { Operation } from './concurrent-random.js'

/** The outcome of an operation: what it saw, or its error code. */
export type Outcome = { readonly saw?: number | boolean } | { readonly code: string }

/** The records that callers write, as a simple immutable model. */
export interface ConcurrentModel {
  readonly counters: ReadonlyMap<string, number>
  /** Counters written since the start, whose revisions have changed. */
  readonly touched: ReadonlySet<string>
  readonly emails: ReadonlyMap<string, string>
  readonly people: ReadonlySet<string>
  readonly animals: ReadonlyMap<string, string>
  /** The revisions of counters at the start. */
  readonly revisions: ReadonlyMap<string, string>
}

export async function readModel(store: Store): Promise<ConcurrentModel> {
  const counters = new Map<string, number>()
  const revisions = new Map<string, string>()
  for await (const { record, revision } of store.iterate(plain)) {
    if (record.n === undefined) continue
    counters.set(record.id as string, record.n as number)
    revisions.set(record.id as string, revision)
  }
  const emails = new Map<string, string>()
  for await (const { record } of store.iterate(accounts)) emails.set(record.id as string, record.email as string)
  const people = new Set<string>()
  for await (const { record } of store.iterate(owners)) people.add(record.id as string)
  const animals = new Map<string, string>()
  for await (const { record } of store.iterate(pets)) animals.set(record.id as string, record.owner as string)
  return { counters, touched: new Set(), emails, people, animals, revisions }
}

/** The outcome of an operation at this moment, and its effect on the records. */
export function outcomeOn(
  model: ConcurrentModel,
  each: Operation,
): { readonly outcome: Outcome; readonly after: ConcurrentModel } {
  const { counters, touched, emails, people, animals } = model
  const refused = (code: string) => ({ outcome: { code }, after: model })
  const changed = (outcome: Outcome, parts: Partial<ConcurrentModel>) => ({ outcome, after: { ...model, ...parts } })
  const counted = (outcome: Outcome, n: number) =>
    changed(outcome, { counters: new Map([...counters, [each.id, n]]), touched: new Set([...touched, each.id]) })
  switch (each.op) {
    case 'raise': {
      const n = counters.get(each.id) ?? 0
      return each.givesUp ? refused('gave up') : counted({ saw: n }, n + 1)
    }
    case 'set':
      return touched.has(each.id) ? refused('CONFLICT') : counted({}, 1000)
    case 'open': {
      const isTaken = [...emails].some(([id, email]) => id !== each.id && email === each.email)
      if (isTaken) return refused('UNIQUE_VIOLATION')
      return changed({}, { emails: new Map([...emails, [each.id, each.email]]) })
    }
    case 'close':
      return changed({ saw: emails.has(each.id) }, { emails: new Map([...emails].filter(([id]) => id !== each.id)) })
    case 'own':
      if (people.has(each.id)) return refused('CONFLICT')
      return changed({}, { people: new Set([...people, each.id]) })
    case 'leave':
      if ([...animals.values()].includes(each.id)) return refused('REFERENCE_VIOLATION')
      return changed({ saw: people.has(each.id) }, { people: new Set([...people].filter((id) => id !== each.id)) })
    case 'adopt':
      if (!people.has(each.owner)) return refused('REFERENCE_VIOLATION')
      return changed({}, { animals: new Map([...animals, [each.id, each.owner]]) })
  }
}
