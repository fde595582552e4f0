import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minionsCollection, type QueryPlan, Store } from '@minions/core/storage'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqliteStorage } from '../src/index.js'
import { tableOf } from '../src/names.js'
import { querySql } from '../src/sql/query.js'

const folder = mkdtempSync(join(tmpdir(), 'minions-plans-'))
const path = join(folder, 'minions.db')
let database: Database.Database

beforeAll(async () => {
  await (await Store.open(sqliteStorage({ path }), [minionsCollection])).close()
  database = new Database(path, { readonly: true })
})
afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const operand = (name: string) => ({
  path: [name],
  column: minionsCollection.declaration.columns.findIndex((column) => column.name === name),
})
const isThere = { op: 'isNull', operand: operand('deletedAt') } as const
const isType = { op: 'eq', operand: operand('minionTypeId'), value: 'builtin-note' } as const
const isTodo = { op: 'eq', operand: operand('status'), value: 'todo' } as const
const by = (name: string): Pick<QueryPlan, 'order' | 'keyDirection' | 'words' | 'limit'> => ({
  order: [{ operand: operand(name), direction: 'desc' }],
  keyDirection: 'desc',
  words: [],
  limit: 51,
})

/** The steps of a plan; each belongs to the one whose id is its parent. */
function stepsOf(plan: QueryPlan): { id: number; parent: number; detail: string }[] {
  const { sql, values } = querySql(tableOf(minionsCollection.declaration), plan)
  return database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as ReturnType<typeof stepsOf>
}

it.each<[string, QueryPlan]>([
  ['all', { ...by('createdAt'), where: isThere }],
  ['a type', { ...by('createdAt'), where: { op: 'and', conditions: [isType, isThere] } }],
  ['a type and status', { ...by('createdAt'), where: { op: 'and', conditions: [isType, isThere, isTodo] } }],
  ['all, deleted ones too, by their last change', by('updatedAt')],
])('an index has the rows of %s in their order', (_, plan) => {
  expect(stepsOf(plan).filter(({ detail }) => detail.includes('TEMP B-TREE'))).toEqual([])
})

it.each<[string, QueryPlan]>([
  ['by title', { ...by('title'), where: isThere }],
  ['by their last change', { ...by('updatedAt'), where: { op: 'and', conditions: [isType, isThere] } }],
  ['by a field', { ...by('title'), order: [{ operand: { path: ['fields', 'x'] }, direction: 'asc' }] }],
  ['with a word', { ...by('createdAt'), where: isThere, words: ['boat'] }],
])('rows without such an index are sorted by number, and read afterwards: %s', (_, plan) => {
  const steps = stepsOf(plan)
  const list = steps.find(({ detail }) => detail.startsWith('LIST SUBQUERY'))
  expect(steps).toContainEqual(
    expect.objectContaining({ parent: 0, detail: 'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)' }),
  )
  expect(steps).toContainEqual(expect.objectContaining({ parent: list?.id, detail: 'USE TEMP B-TREE FOR ORDER BY' }))
})
