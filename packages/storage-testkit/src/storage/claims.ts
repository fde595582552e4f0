import { defineCollection, Store } from '@minions/core/storage'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { casesOf } from '../case.js'
import { type Context, Skipped } from '../context.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { type Doc, idsOf, putTimes } from './collections.js'

/** Jobs to be claimed: most urgent first, once they are due. */
const jobs = defineCollection({
  name: 'kit_jobs',
  schema: Type.Unsafe<Doc>(Type.Object({})),
  key: 'id',
  columns: {
    free_at: { type: 'number', required: true },
    priority: { type: 'number', required: true },
    owner: { type: 'string', unique: true },
  },
  indexes: [['priority', 'free_at']],
})

const free = { where: { free_at: { lte: 100 } }, orderBy: [{ field: 'priority' }] } as const

/** Claiming records that no one else is claiming. */
export const claims = casesOf('claims', {
  'a claim takes matching records, in order and as many as requested, and changes them': async (context) => {
    const store = await withJobs(context, 6)
    const one = await store.claim(jobs, free, until(200))
    expect(one.map(({ record }) => record)).toEqual([{ id: 'j0', free_at: 200, priority: 0 }])
    expect(await store.getRevised(jobs, 'j0')).toEqual(one[0])
    const more = await store.claim(jobs, { ...free, limit: 2 }, until(200))
    expect(more.map(({ record }) => record.id)).toEqual(['j1', 'j2'])
    const rest = await store.claim(jobs, { ...free, limit: 100 }, until(200))
    expect(rest.map(({ record }) => record.id)).toEqual(['j3', 'j4', 'j5'])
    expect(await store.claim(jobs, free, until(200))).toEqual([])
    expect(await store.claim(jobs, { where: { free_at: { lte: 200 } } }, until(300))).toHaveLength(1)
  },

  'a claim whose change cannot be stored takes nothing': async (context) => {
    const store = await withJobs(context, 3)
    await failure(
      store.claim(jobs, { ...free, limit: 2 }, (job) => ({ ...job, id: 'other' })),
      'VALIDATION_FAILED',
    )
    await failure(
      store.claim(jobs, free, ({ id }) => ({ id })),
      'VALIDATION_FAILED',
    )
    await failure(
      store.claim(jobs, { ...free, limit: 2 }, (job) => ({ ...job, owner: 'same' })),
      'UNIQUE_VIOLATION',
    )
    expect(await idsOf(store, jobs, { where: { free_at: 0 } })).toEqual(['j0', 'j1', 'j2'])
    expect(await store.count(jobs)).toBe(3)
  },

  'many concurrent claims take no record twice, and take all': async (context) => {
    const store = await withJobs(context, 60)
    expect(await drain([store], 8)).toEqual(times(60, (index) => `j${index}`).sort())
  },

  'many claims from two backends on the same data take no record twice': async (context) => {
    const other = await context.connect()
    const store = await withJobs(context, 40)
    const second = await Store.open(other, [jobs])
    expect(await drain([store, second], 8)).toEqual(times(40, (index) => `j${index}`).sort())
  },

  'a claim in a transaction is part of it': async (context) => {
    const store = await withJobs(context, 2)
    const claim = (giveUp: boolean) =>
      store.transaction(async (tx) => {
        const [taken] = await tx.claim(jobs, free, until(200))
        expect(taken?.record).toMatchObject({ id: 'j0', free_at: 200 })
        if (giveUp) throw new Error('given up')
      })
    await expect(claim(true)).rejects.toThrow('given up')
    expect(await idsOf(store, jobs, free)).toEqual(['j0', 'j1'])
    await claim(false)
    expect(await idsOf(store, jobs, free)).toEqual(['j1'])
  },

  'a claim skips records that another transaction is writing, without waiting': async (context) => {
    context.needsFullConcurrency()
    const store = await withJobs(context, 3)
    if (!context.backend.capabilities.claim) throw new Skipped('the capability "claim"')
    const outside = await context.open(jobs)
    await store.transaction(async (tx) => {
      await tx.put(jobs, { id: 'j0', free_at: 0, priority: 0, note: 'written' })
      const [taken] = await outside.claim(jobs, free, until(200))
      expect(taken?.record.id).toBe('j1')
    })
    const [next] = await store.claim(jobs, free, until(200))
    expect(next?.record).toMatchObject({ id: 'j0', note: 'written' })
  },

  'a closed store refuses a claim': async (context) => {
    const store = await withJobs(context, 1)
    await store.close()
    await failure(store.claim(jobs, free, until(200)), 'CLOSED')
  },
})

async function withJobs(context: Context, count: number): Promise<Store> {
  const store = await context.open(jobs)
  await putTimes(store, jobs, count, (priority) => ({ id: `j${priority}`, free_at: 0, priority }))
  return store
}

function until(time: number): (job: Doc) => Doc {
  return (job) => ({ ...job, free_at: time })
}

/** Several claimers take jobs, some of them two at a time, until there are none; returns what each of them got. */
async function drain(stores: readonly Store[], claimers: number): Promise<string[]> {
  const work = async (_: unknown, index: number) => {
    const store = stores[index % stores.length] as Store
    const got: string[] = []
    for (;;) {
      const taken = await store.claim(jobs, { ...free, limit: 1 + (index % 2) }, until(200))
      got.push(...taken.map(({ record }) => record.id as string))
      // Records that others are taking are skipped, so an empty result is conclusive only when nothing is left.
      if (taken.length === 0 && (await store.count(jobs, { where: free.where })) === 0) return got
    }
  }
  const all = await Promise.all(Array.from({ length: claimers }, work))
  return all.flat().sort()
}
