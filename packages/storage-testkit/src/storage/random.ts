import { type Store, type StoreReader, WriteBatch } from '@minions/core/storage'
import fc, { type Arbitrary } from 'fast-check'
import { expect } from 'vitest'
import { budget } from '../budget.js'
import { casesOf } from '../case.js'
import { codeOf, settle } from '../failure.js'
import { accounts, type Doc, idsOf, owners, pets } from './collections.js'

/** A write inside a transaction. `expects` is its expectation about the existing record. */
type Step =
  | { readonly op: 'account'; readonly id: string; readonly email: string | null; readonly expects: Expects }
  | { readonly op: 'owner'; readonly id: string }
  | { readonly op: 'pet'; readonly id: string; readonly owner: string | null; readonly kind: string }
  | { readonly op: 'remove'; readonly from: 'accounts' | 'owners' | 'pets'; readonly id: string }

type Expects = 'anything' | 'absent' | 'current' | 'stale'

interface Transaction {
  readonly steps: readonly Step[]
  readonly givesUp: boolean
}

/** The whole state, as arrays. */
interface Model {
  accounts: Doc[]
  owners: Doc[]
  pets: Doc[]
}

const id = fc.constantFrom('a', 'b', 'c', 'd')
const step: Arbitrary<Step> = fc.oneof(
  fc.record({
    op: fc.constant('account' as const),
    id,
    email: fc.constantFrom('x', 'y', null),
    expects: fc.constantFrom<Expects[]>('anything', 'anything', 'absent', 'current', 'stale'),
  }),
  fc.record({ op: fc.constant('owner' as const), id }),
  fc.record({
    op: fc.constant('pet' as const),
    id,
    owner: fc.option(id),
    kind: fc.constantFrom('cat', 'dog', 'stray'),
  }),
  fc.record({ op: fc.constant('remove' as const), from: fc.constantFrom('accounts', 'owners', 'pets'), id }),
)
const transaction: Arbitrary<Transaction> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
  givesUp: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
})

const COLLECTIONS = { accounts, owners, pets } as const

/** Random transactions, whose outcome is predicted by a plain model. */
export const random = casesOf('random transactions', {
  'each succeeds or fails like the model, and leaves the same state': async (context) => {
    const store = await context.open(accounts, owners, pets)
    await compare(store, (model, attempt, index) => ({
      foretold: foretell(model, attempt, index),
      work: perform(store, attempt, index),
    }))
  },

  'each batch succeeds or fails like the model, and leaves the same state': async (context) => {
    const store = await context.open(accounts, owners, pets)
    await compare(store, (model, { steps }, index) => {
      const once = { steps: withoutRepetitions(steps), givesUp: false }
      return { foretold: foretellBatch(model, once, index), work: performBatch(store, once, index) }
    })
  },
})

type Attempt = (
  model: Model,
  transaction: Transaction,
  index: number,
) => { readonly foretold: { codes: string[]; after: Model }; readonly work: Promise<void> }

/** Makes random attempts on an empty store and compares each outcome, and the store, with the model. */
async function compare(store: Store, attempt: Attempt): Promise<void> {
  const property = fc.asyncProperty(fc.array(transaction, { maxLength: 15 }), async (list) => {
    await store.transaction(async (tx) => {
      for (const collection of Object.values(COLLECTIONS)) {
        await tx.deleteMany(collection, (await idsOf(tx, collection)) as string[])
      }
    })
    let model: Model = { accounts: [], owners: [], pets: [] }
    for (const [index, one] of list.entries()) {
      const { foretold, work } = attempt(model, one, index)
      const outcome = await settle(work)
      const code = 'error' in outcome ? codeOf(outcome.error) : 'ok'
      expect(foretold.codes, JSON.stringify(one)).toContain(code)
      if (code === 'ok') model = foretold.after
      for (const [name, collection] of Object.entries(COLLECTIONS)) {
        const { items } = await store.find(collection)
        expect(items, JSON.stringify(one)).toEqual(sorted(model[name as keyof Model]))
      }
    }
  })
  await fc.assert(property, budget(40))
}

function perform(store: Store, { steps, givesUp }: Transaction, index: number): Promise<void> {
  return store.transaction(async (tx) => {
    for (const one of steps) {
      if (one.op === 'account') {
        const expectation = await expectationOf(tx, one.id, one.expects)
        await tx.put(accounts, { id: one.id, email: one.email, index }, expectation)
      } else if (one.op === 'owner') await tx.put(owners, { id: one.id, index })
      else if (one.op === 'pet') await tx.put(pets, { id: one.id, owner: one.owner, kind: one.kind, index })
      else await tx.delete(COLLECTIONS[one.from], one.id)
    }
    if (givesUp) throw new Error('given up')
  })
}

/** The same writes as a batch, with the previous revisions of the records. */
async function performBatch(store: Store, { steps }: Transaction, index: number): Promise<void> {
  const batch = new WriteBatch()
  for (const one of steps) {
    if (one.op === 'owner') batch.put(owners, { id: one.id, index })
    else if (one.op === 'pet') batch.put(pets, { id: one.id, owner: one.owner, kind: one.kind, index })
    else if (one.op === 'remove') batch.delete(COLLECTIONS[one.from], one.id)
    else {
      const expectation = await expectationOf(store, one.id, one.expects)
      batch.put(accounts, { id: one.id, email: one.email, index }, expectation)
    }
  }
  await store.write(batch)
}

async function expectationOf(reader: StoreReader, account: string, expects: Expects) {
  const { revision = 'none' } = (await reader.getRevised(accounts, account)) ?? {}
  const expectations = {
    anything: undefined,
    absent: { ifAbsent: true },
    current: { ifRevision: revision },
    stale: { ifRevision: 'stale' },
  } as const
  return expectations[expects]
}

/** A batch names each record once. */
function withoutRepetitions(steps: readonly Step[]): Step[] {
  const named = new Map(steps.map((one) => [`${one.op === 'remove' ? one.from : `${one.op}s`} ${one.id}`, one]))
  return [...named.values()]
}

/** A batch has no order: any of its errors may be reported, and a value it frees may not be free yet. */
function foretellBatch(before: Model, batch: Transaction, index: number): { codes: string[]; after: Model } {
  const { codes, after } = foretell(before, batch, index)
  const asLast = { ...batch, steps: batch.steps.filter((one) => one.op !== 'account' || one.expects === 'anything') }
  const others = foretell(before, asLast, index).codes.filter((code) => code !== 'ok')
  const emails = new Map(before.accounts.map(({ id, email }) => [email, id]))
  const takes = (one: Step) =>
    one.op === 'account' && one.email !== null && (emails.get(one.email) ?? one.id) !== one.id
  const twice = batch.steps.some(takes) || hasTwice(after) ? ['UNIQUE_VIOLATION'] : []
  return { codes: [...codes, ...others, ...twice], after }
}

/** The possible outcomes of a transaction, and the state if it succeeds. */
function foretell(before: Model, { steps, givesUp }: Transaction, index: number): { codes: string[]; after: Model } {
  const after: Model = { accounts: [...before.accounts], owners: [...before.owners], pets: [...before.pets] }
  const write = (name: keyof Model, record: Doc) => {
    after[name] = [...after[name].filter((other) => other.id !== record.id), record]
  }
  // A value taken twice may be refused immediately, or at commit if it still is; both are correct.
  let wasTwice = false
  for (const one of steps) {
    if (one.op === 'account') {
      const exists = after.accounts.some((record) => record.id === one.id)
      const conflict =
        (one.expects === 'absent' && exists) || (one.expects === 'current' && !exists) || one.expects === 'stale'
      if (conflict) return { codes: wasTwice ? ['CONFLICT', 'UNIQUE_VIOLATION'] : ['CONFLICT'], after: before }
      write('accounts', { id: one.id, email: one.email, index })
      if (hasTwice(after)) wasTwice = true
    } else if (one.op === 'owner') write('owners', { id: one.id, index })
    else if (one.op === 'pet') write('pets', { id: one.id, owner: one.owner, kind: one.kind, index })
    else after[one.from] = after[one.from].filter((record) => record.id !== one.id)
  }
  const codes: string[] = []
  if (wasTwice) codes.push('UNIQUE_VIOLATION')
  if (givesUp) return { codes: [...codes, 'given up'], after }
  const dangling = after.pets.some(
    ({ owner, kind }) => owner !== null && kind !== 'stray' && !after.owners.some((record) => record.id === owner),
  )
  if (dangling) codes.push('REFERENCE_VIOLATION')
  if (!dangling && !hasTwice(after)) codes.push('ok')
  return { codes, after }
}

function hasTwice({ accounts: list }: Model): boolean {
  const emails = list.map((record) => record.email).filter((email) => email !== null)
  return new Set(emails).size < emails.length
}

function sorted(list: readonly Doc[]): Doc[] {
  return [...list].sort((a, b) => ((a.id as string) < (b.id as string) ? -1 : 1))
}
