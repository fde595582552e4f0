import { Minions } from '@minions/core'
import { minionsCollection, type QueryPlan } from '@minions/core/storage'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BatchStatements, PreparedBatch } from '../src/batch-statement.ts'
import { glance, glanceText } from '../src/changes/glance.ts'
import { parsePosition } from '../src/changes/position.ts'
import { postgresStorage } from '../src/index.ts'
import { Table } from '../src/names.ts'
import { Rows } from '../src/rows.ts'
import { queryStatement } from '../src/sql/query.ts'
import type { Statement } from '../src/sql/statement.ts'
import { TableWriter } from '../src/writer.ts'
import { createPglite } from './support/pglite.ts'
import { execute, type TestDatabase } from './support/server.ts'

let database: TestDatabase
const table = new Table('plans', minionsCollection.declaration)

beforeAll(async () => {
  database = await createPglite()
  const storage = postgresStorage({ connectionString: database.url, ...database.options, schema: 'plans' })
  const minions = await Minions.open({ storage })
  const inputs = Array.from({ length: 5000 }, (_, n) => ({
    title: `Note ${n}`,
    status: n % 2 === 0 ? ('todo' as const) : ('completed' as const),
    tags: [`tag${n % 500}`],
    fields: { content: `word${n} common` },
  }))
  await minions.createMany('note', inputs)
  await minions.createMany('thought', inputs.slice(0, 2500))
  await minions.close()
  await execute(database.url, `VACUUM ANALYZE ${table.sql}`)
})
afterAll(() => database.drop())

const column = (name: string) => ({
  path: [name],
  column: minionsCollection.declaration.columns.findIndex((candidate) => candidate.name === name),
})
const isType = { op: 'eq', operand: column('minionTypeId'), value: 'builtin-note' } as const
const isThere = { op: 'isNull', operand: column('deletedAt') } as const
const isTodo = { op: 'eq', operand: column('status'), value: 'todo' } as const
const created = (direction: 'asc' | 'desc') => ({
  order: [{ operand: column('createdAt'), direction }],
  keyDirection: direction,
})
const and = (...conditions: Extract<QueryPlan['where'], object>[]) => ({ op: 'and', conditions }) as const

const queries: Record<string, [QueryPlan, RegExp]> = {
  'a page of all': [
    { words: [], limit: 51, where: isThere, ...created('asc') },
    /^Limit\W+Index Scan using _minions_i0/,
  ],
  'a page of a type': [
    { words: [], limit: 51, where: and(isType, isThere), ...created('asc') },
    /^Limit\W+Index Scan using _minions_i1/,
  ],
  'a page of a type and status, newest first': [
    { words: [], limit: 51, where: and(isType, isThere, isTodo), ...created('desc') },
    /^Limit\W+Index Scan Backward using _minions_i2/,
  ],
  'the next page': [
    {
      words: [],
      limit: 51,
      where: and(isType, isThere),
      ...created('asc'),
      after: { values: ['2026-01-01T00:00:00.000Z'], key: 'x' },
    },
    /^Limit\W+Index Scan using _minions_i1[^\n]*\n\W*Index Cond: .*ROW\(/,
  ],
  'a page ordered by an undeclared path': [
    {
      words: [],
      limit: 51,
      where: isType,
      order: [{ operand: { path: ['fields', 'content'] }, direction: 'asc' }],
      keyDirection: 'asc',
    },
    /Sort/,
  ],
  'a tag': [
    {
      words: [],
      limit: 51,
      where: and(isThere, { op: 'contains', operand: column('tags'), value: 'tag7' }),
      ...created('asc'),
    },
    /Bitmap Index Scan on _minions_l3/,
  ],
  'two words': [
    { words: ['word77', 'common'], limit: 51, where: isThere, ...created('asc') },
    /Bitmap Index Scan on _minions_words/,
  ],
}

it.each(Object.entries(queries))('an index answers %s', async (_, [plan, expected]) => {
  const { text, values } = queryStatement(table, plan)
  const rows = await execute(database.url, `EXPLAIN (COSTS OFF) ${text}`, [...values])
  const lines = rows.map((row) => row['QUERY PLAN']).join('\n')
  // The version of the data is read once, not with every row.
  expect(lines).toMatch(VERSION)
  expect(lines.replace(VERSION, '')).toMatch(expected)
})

const VERSION = /\n *InitPlan 1.*\n *-> +Result/

it('writes and removes records by the index of their keys alone', async () => {
  const record = {
    key: 'k',
    revision: 'r2',
    record: {},
    columns: ['', '', '', [], '', '', ''],
    references: [],
    words: [],
  }
  const statements: Statement[] = []
  const executor = {
    run: async (statement: Statement) => {
      statements.push(statement)
      return { rows: [['k', 'r2', '{}']], count: 1 }
    },
  }
  const rows = new Rows(table)
  const writer = new TableWriter(table, rows)
  await writer.put(executor, [{ ...record, expect: 'r1' }])
  await writer.delete(executor, [{ key: 'k', expect: 'r2' }, { key: 'l' }])
  expect(statements).toHaveLength(2)
  const batches = new BatchStatements(new Map([['minions', { table, rows, writer }]]), 'plans')
  const batchOf = (suffix: string) =>
    batches.prepare([
      {
        collection: 'minions',
        puts: [
          { ...record, key: `k${suffix}` },
          { ...record, key: `m${suffix}`, expect: 'r1' },
          { ...record, key: `n${suffix}`, expect: null },
        ],
        deletes: [{ key: `o${suffix}` }, { key: `p${suffix}`, expect: 'r1' }],
        checks: [{ key: `q${suffix}`, expect: 'r1' }],
      },
    ])
  statements.push(batches.statement(batchOf('')))
  statements.push(batches.statement(PreparedBatch.joined([batchOf('1'), batchOf('2')])))
  for (const { text, values } of statements) {
    const lines = await execute(database.url, `EXPLAIN (COSTS OFF) ${text}`, [...values])
    const plan = lines.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('_minions_key')
    expect(plan).not.toContain('Seq Scan')
  }
})

it('reads the change feed by its numbers and transactions, however long it is', async () => {
  const filler = `INSERT INTO plans._changes (collection, entries) SELECT 'minions', '[["k","r"]]' FROM generate_series(1, 20000)`
  await execute(database.url, filler)
  await execute(database.url, 'VACUUM ANALYZE plans._changes')
  const positions = [
    '0:0/1:1:',
    '19000:1/900000:900000:',
    '19000:1/5:900000:5,6',
    '19000:1/5:900000:5,6/5:900000:6@40.1',
  ]
  for (const position of positions) {
    for (const collections of [undefined, ['minions']]) {
      const statements: Statement[] = []
      const executor = {
        run: async (statement: Statement) => {
          statements.push(statement)
          return { rows: [['1:1:', null, null, null, null]], count: 1 }
        },
      }
      await glance(executor, glanceText('plans'), parsePosition(position), collections, 100)
      const [{ text, values } = { text: '', values: [] }] = statements
      const lines = await execute(database.url, `EXPLAIN (COSTS OFF) ${text}`, [...values])
      const plan = lines.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).not.toContain('Seq Scan on _changes')
    }
  }
})
