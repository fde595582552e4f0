import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timestamp } from '@minions/core'
import { WriteBatch } from '@minions/core/storage'
import { afterAll, describe, expect, test } from 'vitest'
import { createDatabase, needsServer, serverUrl } from '../../storage-postgres/test/support/server.ts'
import { approvalsCollection } from '../src/approvals/record.ts'
import { createApp, search } from './support/app.ts'

const folder = mkdtempSync(join(tmpdir(), 'minions-approvals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const PENDING = 10_000
const LONGEST_MS = 50

/** The shortest of several rounds: how long it takes where nothing else keeps the machine busy. */
async function quickest(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round++) {
    const began = performance.now()
    await work()
    best = Math.min(best, performance.now() - began)
  }
  return best
}

async function listMany(storage: string): Promise<void> {
  const app = await createApp({ storage, rules: [] })
  const asked = await app.approvals.ask(search('a'), 'x')
  const idOf = (index: number) => `apr_${String(index).padStart(32, '0')}`
  for (let index = 1; index < PENDING; ) {
    const batch = new WriteBatch()
    for (let count = 0; count < 500 && index < PENDING; count++, index++) {
      const asked_at = timestamp(Date.parse(asked.asked_at) + index)
      batch.put(approvalsCollection, { ...asked, approval_id: idOf(index), asked_at })
    }
    await app.storage.write(batch)
  }
  const first = await app.approvals.list({ status: 'pending', tenant: 'acme' })
  expect(first.items.map(({ approval_id }) => approval_id)).toEqual([
    asked.approval_id,
    ...Array.from({ length: 99 }, (_, index) => idOf(index + 1)),
  ])
  for (const filter of [{}, { tenant: 'acme' }, { cursor: first.nextCursor, tenant: 'acme' }]) {
    expect(await quickest(() => app.approvals.list({ status: 'pending', ...filter }))).toBeLessThan(LONGEST_MS)
  }
  expect((await app.approvals.list({ status: 'pending', limit: PENDING })).items).toHaveLength(PENDING)
  await app.close()
}

describe(`with ${PENDING} approvals pending, a page is listed in ${LONGEST_MS} ms`, () => {
  test('on SQLite', { timeout: 120_000 }, () => listMany(`sqlite:${join(folder, 'many.db')}`))

  test.skipIf(serverUrl === undefined)('on PostgreSQL', { ...needsServer, timeout: 120_000 }, async () => {
    const database = await createDatabase()
    try {
      await listMany(database.url)
    } finally {
      await database.drop()
    }
  })
})
