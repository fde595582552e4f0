import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import type { TestDatabase } from './server.ts'

/**
 * PostgreSQL inside this process. All its connections share one session: one connection at a time, no prepared
 * statements. It takes seconds to start, so a test file has one for all its tests.
 */
export async function createPglite(): Promise<TestDatabase> {
  const db = await PGlite.create()
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
