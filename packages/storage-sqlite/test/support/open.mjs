// A process of its own on the built packages: `node open.mjs <path> [n]`. It opens a store when its parent says so, and with
// `n` kills itself, as kill -9 does, before the n-th statement that it would run.
import { once } from 'node:events'
import { Minions } from '@minions/core'
import { sqliteStorage } from '@minions/storage-sqlite'
import Database from 'better-sqlite3'

const [path, last] = process.argv.slice(2)
let count = 0

function counted(run) {
  return function (...args) {
    count += 1
    if (count === Number(last)) process.kill(process.pid, 'SIGKILL')
    return run.apply(this, args)
  }
}

const statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'))
for (const name of ['run', 'get', 'all']) statement[name] = counted(statement[name])
for (const name of ['exec', 'pragma']) Database.prototype[name] = counted(Database.prototype[name])

process.stdout.write('ready\n')
await once(process.stdin, 'data')
const minions = await Minions.open({ storage: sqliteStorage({ path }) })
process.stdout.write(`${count}\n`)
await minions.create('note', { title: `by ${process.pid}`, fields: { content: 'opened' } })
await minions.close()
process.stdin.destroy()
