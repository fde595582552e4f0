import { memoryStorage } from '@minions/core/memory'
import { type QueryPlan, type StorageBackend, Store } from '@minions/core/storage'
import { expect, it } from 'vitest'
import { jobsCollections } from '../../src/jobs/index.js'
import { JobLedger } from '../../src/jobs/store/job-ledger.js'

const [jobs] = jobsCollections.filter(({ name }) => name === 'jobs')
const SERVED = { queues: ['walk@*', 'walk@1.0.0'], tagKeys: [''] }

/** The names of the columns by which a plan orders. */
function orderOf({ order }: QueryPlan): string[] {
  return order.map(({ operand }) => operand.path.join('.'))
}

it('finds and claims in the order of an index of what has a status, so that nothing else is read', async () => {
  const plans: QueryPlan[] = []
  const noting = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          for (const arg of args) if (isPlan(arg)) plans.push(arg)
          const noted = args.map((arg) => (typeof arg === 'function' ? (tx: object) => arg(noting(tx)) : arg))
          return Reflect.apply(value, target, name === 'transaction' ? noted : args)
        }
      },
    })
  const store = await Store.open(noting<StorageBackend>(memoryStorage()), jobsCollections)
  const ledger = new JobLedger(store, { clock: Date.now })
  await ledger.add([{ skill: 'walk' }])
  plans.length = 0
  await ledger.hasWaiting(SERVED)
  await ledger.hasWaiting(SERVED, { light: true })
  await ledger.claim('worker', SERVED, 1)
  expect(plans).toHaveLength(3)
  const ofStatus = jobs?.declaration.indexes.filter(([first]) => first === 'status') ?? []
  for (const plan of plans) expect(ofStatus.map((index) => index.slice(1))).toContainEqual(orderOf(plan))
  await store.close()
})

function isPlan(value: unknown): value is QueryPlan {
  return typeof value === 'object' && value !== null && 'order' in value && 'keyDirection' in value
}
