import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll } from 'vitest'
import { contractsSuite } from './suites/all.js'

const folder = mkdtempSync(join(tmpdir(), 'minions-contracts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

contractsSuite('SQLite', async () => ({ backend: sqliteStorage({ path: join(folder, `${randomUUID()}.db`) }) }))
