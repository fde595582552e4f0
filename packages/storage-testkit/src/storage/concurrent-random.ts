import { type Store, WriteBatch } from '@minions/core/storage'
import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { casesOf } from '../case.js'
import type { Context } from '../context.js'
import { codeOf, settle } from '../failure.js'
import { accounts, idsOf, owners, pets, plain } from './collections.js'
import { type ConcurrentModel, type Outcome, outcomeOn, readModel } from './concurrent-model.js'

/**
 * One operation of a caller. Each success also writes a record named after it, which gives it a position in the feed.
 */
export type Operation =
  /** Reads a counter and increments it, and may then roll back. */
  | { readonly op: 'raise'; readonly id: string; readonly givesUp: boolean }
  /** The same without reading: sets a counter, if it is unchanged since the start. */
  | { readonly op: 'set'; readonly id: string; readonly inBatch: boolean }
  | { readonly op: 'open'; readonly id: string; readonly email: string }
  | { readonly op: 'close'; readonly id: string }
  | { readonly op: 'own'; readonly id: string }
  | { readonly op: 'leave'; readonly id: string }
  | { readonly op: 'adopt'; readonly id: string; readonly owner: string }

class GaveUp extends Error {}

const COUNTERS = ['m', 'n'] as const
const id = fc.constantFrom('a', 'b', 'c')
const operation: Arbitrary<Operation> = fc.oneof(
  fc.record({
    op: fc.constant('raise' as const),
    id: fc.constantFrom(...COUNTERS),
    givesUp: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0),
  }),
  fc.record({ op: fc.constant('set' as const), id: fc.constantFrom(...COUNTERS), inBatch: fc.boolean() }),
  fc.record({ op: fc.constant('open' as const), id, email: fc.constantFrom('x', 'y') }),
  fc.record({ op: fc.constant('close' as const), id }),
  fc.record({ op: fc.constant('own' as const), id }),
  fc.record({ op: fc.constant('leave' as const), id }),
  fc.record({ op: fc.constant('adopt' as const), id, owner: id }),
)

/** Random concurrent callers, whose outcomes must be those of some serial order, the one of the change feed. */
export const concurrentRandom = casesOf('random callers at once', {
  'two at once behave as if serial': (context) => compare(context, 2, 12),
  'eight at once behave as if serial': (context) => compare(context, 8, 8),
  'sixty-four at once behave as if serial': (context) => compare(context, 64, 3),
})

async function compare(context: Context, callers: number, runs: number): Promise<void> {
  context.needsChanges()
  context.needsFullConcurrency()
  const store = await context.open(plain, accounts, owners, pets)
  const round = fc.array(operation, { minLength: callers, maxLength: callers })
  let count = 0
  await fc.assert(
    fc.asyncProperty(round, async (operations) => {
      count += 1
      await compareRound(store, operations, `${count}`)
    }),
    { ...budget(runs), endOnFailure: true },
  )
}

async function compareRound(store: Store, operations: readonly Operation[], round: string): Promise<void> {
  const before = await readModel(store)
  const { cursor } = await store.listChanges()
  const name = (index: number) => `${round}-${index}`
  const outcomes = await Promise.all(
    operations.map((each, index) => outcomeOf(perform(store, each, name(index), before.revisions.get(each.id)))),
  )
  const { items } = await store.listChanges({ since: cursor, limit: 1000 })
  const order = items.flatMap(({ collection, key, kind }) => (collection === plain.name && kind === 'put' ? [key] : []))
  const positions = operations.map((_, index) => order.indexOf(name(index)))
  const succeeded = operations.map((_, index) => index).filter((index) => !('code' in (outcomes[index] as Outcome)))
  expect(succeeded.filter((index) => positions[index] === -1)).toEqual([])
  expect(order.filter((key) => String(key).includes('-'))).toHaveLength(succeeded.length)
  const states = [before]
  const changing = succeeded.filter((index) => changesSomething(outcomes[index] as Outcome))
  for (const index of changing.sort((a, b) => (positions[a] as number) - (positions[b] as number))) {
    const [each, state] = [operations[index] as Operation, states.at(-1) as ConcurrentModel]
    const { outcome, after } = outcomeOn(state, each)
    expect(outcomes[index], JSON.stringify(each)).toEqual(outcome)
    states.push(after)
  }
  for (const [index, outcome] of outcomes.entries()) {
    if (changesSomething(outcome)) continue
    const each = operations[index] as Operation
    const possible = states.map((state) => JSON.stringify(outcomeOn(state, each).outcome))
    expect(possible, JSON.stringify(each)).toContain(JSON.stringify(outcome))
  }
  await expectState(store, states.at(-1) as ConcurrentModel)
}

/** A refused operation, or one that found nothing to remove, may have run at any moment. */
function changesSomething(outcome: Outcome): boolean {
  return !('code' in outcome) && outcome.saw !== false
}

async function expectState(store: Store, model: ConcurrentModel): Promise<void> {
  const { counters, emails, people, animals } = model
  for (const counter of COUNTERS) expect((await store.get(plain, counter))?.n ?? 0).toBe(counters.get(counter) ?? 0)
  expect(await idsOf(store, accounts)).toEqual([...emails.keys()].sort())
  for (const [key, email] of emails) expect((await store.get(accounts, key))?.email).toBe(email)
  expect(await idsOf(store, owners)).toEqual([...people].sort())
  expect(await idsOf(store, pets)).toEqual([...animals.keys()].sort())
  for (const [key, owner] of animals) expect((await store.get(pets, key))?.owner).toBe(owner)
}

async function outcomeOf(work: Promise<Outcome>): Promise<Outcome> {
  const result = await settle(work)
  if (!('error' in result)) return result.value
  if (result.error instanceof GaveUp) return { code: 'gave up' }
  return { code: codeOf(result.error) }
}

/** Performs an operation together with a record of this name; `revision` is that of its counter at the start. */
async function perform(store: Store, each: Operation, name: string, revision: string | undefined): Promise<Outcome> {
  const note = { id: name }
  const unchanged = revision === undefined ? ({ ifAbsent: true } as const) : { ifRevision: revision }
  if (each.op === 'set' && each.inBatch) {
    const batch = new WriteBatch()
    batch.put(plain, note)
    batch.put(plain, { id: each.id, n: 1000 }, unchanged)
    await store.write(batch)
    return {}
  }
  return store.transaction(async (tx): Promise<Outcome> => {
    await tx.put(plain, note)
    switch (each.op) {
      case 'raise': {
        const n = ((await tx.get(plain, each.id))?.n as number | undefined) ?? 0
        await tx.put(plain, { id: each.id, n: n + 1 })
        if (each.givesUp) throw new GaveUp()
        return { saw: n }
      }
      case 'set':
        await tx.put(plain, { id: each.id, n: 1000 }, unchanged)
        return {}
      case 'open':
        await tx.put(accounts, { id: each.id, email: each.email })
        return {}
      case 'close':
        return { saw: await tx.delete(accounts, each.id) }
      case 'own':
        await tx.put(owners, { id: each.id }, { ifAbsent: true })
        return {}
      case 'leave':
        return { saw: await tx.delete(owners, each.id) }
      case 'adopt':
        await tx.put(pets, { id: each.id, owner: each.owner })
        return {}
    }
  })
}
