import { createHook } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Minions } from '@minions/core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { canTrace, countFlushes } from '../../../tools/torture/flushes.mjs'
import { Connection } from '../src/connection.js'
import { type SqliteStorageOptions, sqliteStorage } from '../src/index.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'minions-sqlite-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const needsTrace = { timeout: 60_000, meta: { needs: 'strace: install it, and let processes be traced' } }
const note = (title: string) => ({ title, fields: { content: title } })

/** Opens a store, with the connection that writes. */
async function open(options: Partial<SqliteStorageOptions> = {}): Promise<{ minions: Minions; writer: Connection }> {
  const opened = vi.spyOn(Connection, 'open')
  const minions = await Minions.open({ storage: sqliteStorage({ path: join(folder, 'store.db'), ...options }) })
  const [first] = opened.mock.results
  return { minions, writer: await first?.value }
}

it.each([
  ['full', 2],
  ['normal', 1],
  ['off', 0],
  [undefined, 2],
] as const)('writes with synchronous=%s, as SQLite itself says', async (synchronous, value) => {
  const { minions, writer } = await open(synchronous && { synchronous })
  const settings = () => [
    writer.database.pragma('synchronous', { simple: true }),
    writer.database.pragma('journal_mode', { simple: true }),
    writer.database.pragma('foreign_keys', { simple: true }),
  ]
  expect(settings()).toEqual([value, 'wal', 1])
  await minions.create('note', note('one'))
  await minions.types.register({ id: 'new-type', name: 'New', slug: 'new', schema: [] })
  expect(settings()).toEqual([value, 'wal', 1])
  await minions.close()
})

it.skipIf(!canTrace())(
  'flushes every create before it is acknowledged, and many at once together',
  needsTrace,
  async () => {
    const backend = { package: 'storage-sqlite', factory: 'sqliteStorage', options: { path: join(folder, 'store.db') } }
    const { inTurn, together } = await countFlushes(backend, { inTurn: 10, together: 64 })
    expect(inTurn).toBeGreaterThanOrEqual(10)
    expect(together).toBeGreaterThanOrEqual(1)
    expect(together).toBeLessThan(16)
  },
)

it('commits what many callers create at once together', async () => {
  const { minions, writer } = await open()
  const statements = vi.spyOn(writer, 'run')
  await Promise.all(Array.from({ length: 64 }, (_, index) => minions.create('note', note(`${index}`))))
  expect(statements.mock.calls.filter(([sql]) => sql === 'COMMIT').length).toBeLessThan(16)
  // Savepoints are dear, and nothing has failed.
  expect(statements.mock.calls.filter(([sql]) => sql.includes('SAVEPOINT'))).toEqual([])
  expect(await minions.count()).toBe(64)
  await minions.close()
})

it('asks for nothing to create a minion of a type that it knows, and makes few promises', async () => {
  const { minions, writer } = await open()
  await minions.create('note', note('first'))
  const statements = vi.spyOn(writer, 'statement')
  let promises = 0
  const hook = createHook({
    init(_, type) {
      if (type === 'PROMISE') promises += 1
    },
  })
  hook.enable()
  await minions.create('note', note('second'))
  hook.disable()
  const asked = statements.mock.calls.map(([sql]) => sql).filter((sql) => sql.startsWith('SELECT'))
  expect(asked).toEqual([])
  expect(promises).toBeLessThanOrEqual(12)
  await minions.close()
})

it('learns of a type that another process has changed', async () => {
  const { minions } = await open()
  const { minions: other } = await open()
  const schema = [{ name: 'author', type: 'string' }] as const
  await minions.types.register({ id: 'book-type', name: 'Book', slug: 'book', schema })
  await minions.create('book', { title: 'a', fields: { author: 'x' } })
  await other.types.evolve('book', [...schema, { name: 'shelf', type: 'string', defaultValue: 'new' }])
  const { fields } = await minions.create('book', { title: 'b', fields: { author: 'y' } })
  expect(fields).toEqual({ author: 'y', shelf: 'new' })
  await Promise.all([minions.close(), other.close()])
})
