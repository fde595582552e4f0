import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fsStorage } from '@minions/storage-fs'
import { afterAll } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { contractsSuite } from './suites/all.js'

const folder = mkdtempSync(join(scratchFolder, 'minions-contracts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

contractsSuite('files', async () => ({ backend: fsStorage({ root: join(folder, randomUUID()) }) }))
