import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { freePort } from './cluster.ts'
import type { TestDatabase } from './server.ts'

/**
 * PostgreSQL inside this process. All its connections share one session: one connection at a time, no prepared
 * statements. It takes seconds to start, so a test file has one for all its tests.
 */
export async function createPglite(): Promise<TestDatabase> {
  const db = await PGlite.create()
  const port = await freePort()
  const server = new PGLiteSocketServer({ db, port, host: '127.0.0.1', maxConnections: 20 })
  await server.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    options: { poolSize: 1, preparedStatements: false },
    async drop() {
      await server.stop()
      await db.close()
    },
  }
}
