import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sqlNames } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import Database from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { ColonyStore, colonyCollections } from '../src/index.js'
import { storeMission } from './support/stored-mission.js'

const folder = mkdtempSync(join(scratchFolder, 'minions-constraints-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('has constraints of its own: SQL that goes round all of our code is refused as well', async () => {
  const path = join(folder, 'store.db')
  const store = await ColonyStore.open(sqliteStorage({ path }))
  await storeMission(store)
  await store.close()
  const database = new Database(path)
  database.pragma('foreign_keys = ON')
  for (const { name, declaration } of colonyCollections) {
    const { table, columns, references } = sqlNames(declaration)
    declaration.columns.forEach((column, index) => {
      const set = () => database.exec(`UPDATE "${table}" SET "${columns[index]}" = NULL`)
      if (!column.required || database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() === 0) return
      expect(set, `${name}.${column.name}`).toThrow(/NOT NULL/)
    })
    declaration.references.forEach((_, index) => {
      if (database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get() === 0) return
      const set = () => database.exec(`UPDATE "${table}" SET "${references[index]}" = 'nobody'`)
      expect(set, `${name} reference ${index}`).toThrow(/FOREIGN KEY/)
    })
  }
  expect(() => database.exec('DELETE FROM colony_missions')).toThrow(/FOREIGN KEY/)
  database.close()
})
