// A process of its own on the built packages: `node open.mjs <url> <schema> [n]`. It opens a store when its parent says so,
// and with `n` kills itself, as kill -9 does, before the n-th statement that it would send.
import { once } from 'node:events'
import { Minions } from '@minions/core'
import { postgresStorage } from '@minions/storage-postgres'
import pg from 'pg'

const [connectionString, schema, last] = process.argv.slice(2)
let count = 0
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (...args) {
  count += 1
  if (count === Number(last)) process.kill(process.pid, 'SIGKILL')
  return query.apply(this, args)
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const minions = await Minions.open({ storage: postgresStorage({ connectionString, schema, poolSize: 2 }) })
process.stdout.write(`${count}\n`)
await minions.create('note', { title: `by ${process.pid}`, fields: { content: 'opened' } })
await minions.close()
process.stdin.destroy()
