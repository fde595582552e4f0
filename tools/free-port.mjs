// @ts-check
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A port of this machine that nothing listens on, and that no one else is given while the server is down: systems choose
 * ports for connections from higher ones.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(10_000, 30_000)
    const server = createServer()
    /** @type {Promise<boolean>} */
    const isFree = new Promise((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (await isFree) return port
  }
}
