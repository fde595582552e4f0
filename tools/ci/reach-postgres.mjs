// @ts-check
// Fails unless the PostgreSQL server at the given URL answers: `node tools/ci/reach-postgres.mjs postgres://…`.
import { argv } from 'node:process'
import pg from 'pg'

const [, , url = ''] = argv
const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
try {
  await client.connect()
  const { rows } = await client.query('select version()')
  console.log(rows[0].version)
  await client.end()
} catch (error) {
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: url, pathname: '' }
  console.error(
    `Cannot reach PostgreSQL at ${host}${pathname}: ${error}. Start a server or set MINIONS_TEST_POSTGRES_URL.`,
  )
  process.exitCode = 1
}
