import { readFileSync } from 'node:fs'
import { Minions } from '@minions/core'
import { RESERVED_WORDS } from '@minions/core/storage'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSqlQueries } from '../../../tools/docs/snippets.mjs'
import { postgresStorage } from '../src/index.ts'
import { createPostgres } from './support/postgres.ts'
import { execute, type TestDatabase } from './support/server.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createPostgres()
  const storage = postgresStorage({ connectionString: database.url, ...database.options })
  const minions = await Minions.open({ storage })
  const todo = { title: 'Write', status: 'todo', tags: ['urgent'], fields: { content: 'a letter' } } as const
  const [first, second] = await minions.createMany('note', [todo, { title: 'Read', fields: { content: 'a book' } }])
  await minions.link({ sourceId: first?.id ?? '', targetId: second?.id ?? '', type: 'references' })
  await minions.close()
})
afterAll(() => database.drop())

const queries = readSqlQueries(readFileSync(new URL('../README.md', import.meta.url), 'utf8'))

describe('the queries of the README', () => {
  const readAndWrite = [
    ['Read', 'a book'],
    ['Write', 'a letter'],
  ]
  const answers = [[['Write', 'todo']], readAndWrite, [['Write']], [['Write', 'references', 'Read']]]

  it('are four', () => expect(queries).toHaveLength(answers.length))

  it.each(queries.map((query, index) => [query, answers[index]]))('%s', async (query, rows) => {
    const client = new Client(database.url)
    await client.connect()
    try {
      await client.query('BEGIN; SET LOCAL search_path = minions')
      expect((await client.query({ text: query as string, rowMode: 'array' })).rows).toEqual(rows)
      await client.query('COMMIT')
    } finally {
      await client.end()
    }
  })
})

it('has a safe name for every word that PostgreSQL reserves', async () => {
  const rows = await execute(database.url, 'SELECT word FROM pg_get_keywords()')
  const words = rows.map(({ word }) => String(word)).filter((word) => !RESERVED_WORDS.has(word))
  expect(words.length).toBeGreaterThan(300)
  const refused: string[] = []
  const client = new Client(database.url)
  await client.connect()
  for (const word of words) {
    const use = `SELECT ${word}, t.${word} FROM ${word} t WHERE ${word} = 'x' ORDER BY ${word}`
    await client.query(`BEGIN; CREATE TEMP TABLE ${word} (x text, ${word} text); ${use}; ROLLBACK`).catch(async () => {
      refused.push(word)
      await client.query('ROLLBACK')
    })
  }
  await client.end()
  expect(refused).toEqual([])
})
