import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { Notices } from '../src/changes/notices.js'

/** A pool that only keeps notifications: after how many commits, and what they say. */
function countingPool() {
  const sent: number[] = []
  const payloads: unknown[] = []
  let commits = 0
  const query = async (_: string, [, payload]: readonly unknown[]) => {
    payloads.push(payload)
    sent.push(commits)
  }
  const pool = { options: { max: 2 }, query }
  return { pool: pool as unknown as Pool, sent, payloads, commit: () => ++commits }
}

test.each([1, 2, 3, 10])('of %i commits in a row, the last is reported before the store is closed', async (count) => {
  const { pool, sent, commit } = countingPool()
  const notices = new Notices(pool, 'schema', () => {})
  for (let done = 0; done < count; done++) {
    commit()
    notices.tell(['things'])
    await Promise.resolve()
  }
  await notices.close()
  expect(sent.at(-1)).toBe(count)
  expect(sent.length).toBeLessThanOrEqual(2)
})

test('commits are reported with the names of their collections, together with those that came meanwhile', async () => {
  const { pool, payloads } = countingPool()
  const notices = new Notices(pool, 'schema', () => {})
  notices.tell(['jobs'])
  notices.tell(['jobs', 'workers'])
  notices.tell(['limits'])
  await notices.close()
  expect(payloads).toEqual(['jobs', 'jobs workers limits'])
})

test('more names than fit are left out', async () => {
  const { pool, payloads } = countingPool()
  const notices = new Notices(pool, 'schema', () => {})
  notices.tell(Array.from({ length: 200 }, (_, n) => `collection_${n}_${'x'.repeat(30)}`))
  await notices.close()
  expect(payloads).toEqual([''])
})

test('without a commit, nothing is reported', async () => {
  const { pool, sent } = countingPool()
  await new Notices(pool, 'schema', () => {}).close()
  expect(sent).toEqual([])
})
