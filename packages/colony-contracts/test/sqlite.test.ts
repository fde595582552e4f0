import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteStorage } from '@minions/storage-sqlite'
import { afterAll } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { contractsSuite } from './suites/all.js'

const folder = mkdtempSync(join(scratchFolder, 'minions-contracts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

contractsSuite('SQLite', async () => ({ backend: sqliteStorage({ path: join(folder, `${randomUUID()}.db`) }) }))
