// @ts-check
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientConformance, storageConformance } from '@minions/storage-testkit'
import { jsonStorage } from '../../examples/storage-backend/json-storage.mjs'

const create = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'minions-json-'))
  const open = () => jsonStorage({ path: join(folder, 'store.json') })
  return { backend: open(), dispose: async () => rmSync(folder, { recursive: true }), reopen: async () => open() }
}

storageConformance({ name: 'one file of JSON', create })
clientConformance({ name: 'one file of JSON', create })
