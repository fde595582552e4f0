import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { Notices } from '../src/changes/notices.js'

/** A pool that only counts notifications. */
function countingPool() {
  const sent: number[] = []
  let commits = 0
  const pool = { options: { max: 2 }, query: async () => sent.push(commits) }
  return { pool: pool as unknown as Pool, sent, commit: () => ++commits }
}

test.each([1, 2, 3, 10])('of %i commits in a row, the last is reported before the store is closed', async (count) => {
  const { pool, sent, commit } = countingPool()
  const notices = new Notices(pool, 'schema', () => {})
  for (let done = 0; done < count; done++) {
    commit()
    notices.tell()
    await Promise.resolve()
  }
  await notices.close()
  expect(sent.at(-1)).toBe(count)
  expect(sent.length).toBeLessThanOrEqual(2)
})

test('without a commit, nothing is reported', async () => {
  const { pool, sent } = countingPool()
  await new Notices(pool, 'schema', () => {}).close()
  expect(sent).toEqual([])
})
