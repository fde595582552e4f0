import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import type { TestDatabase } from './server.ts'

// To compile PostgreSQL a second time, to faster code, takes longer than any suite saves by it.
setFlagsFromString('--liftoff-only')

/**
 * PostgreSQL inside this process. All its connections share one session: one connection at a time, no prepared
 * statements.
 */
export async function createPglite(): Promise<TestDatabase> {
  const db = await createEmpty()
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 20 })
  await server.start()
  return {
    url: `postgres://postgres:postgres@${server.getServerConn()}/postgres`,
    options: { poolSize: 1, preparedStatements: false },
    async drop() {
      await server.stop()
      await db.close()
    },
  }
}

const modules = new URL('../../../../node_modules/', import.meta.url)
const cache = new URL('.cache/minions/', modules)

/** Initialising a database takes seconds and always gives the same files, so the first one leaves them to all others. */
async function createEmpty(): Promise<PGlite> {
  const { version } = JSON.parse(await readFile(new URL('@electric-sql/pglite/package.json', modules), 'utf8'))
  const template = new URL(`pglite-${version}.tar`, cache)
  const files = await readFile(template).catch(() => undefined)
  if (files) return PGlite.create({ loadDataDir: new Blob([files]) })
  const db = await PGlite.create()
  await mkdir(cache, { recursive: true })
  const unfinished = new URL(randomUUID(), cache)
  const dump = await db.dumpDataDir('none')
  await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()))
  await rename(unfinished, template)
  return db
}
