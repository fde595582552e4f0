import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { Session } from '../src/session.ts'
import { Throttle } from '../src/throttle.ts'

/** A message of the protocol: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
const goodbye = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'))

it('a server that says goodbye in one breath with its welcome is unavailable, and the process goes on', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([welcome, goodbye])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const pool = new Pool({ host: '127.0.0.1', port, user: 'postgres', max: 2 })
  const channel = { pool, where: 'here', throttle: new Throttle(2, 0), names: undefined }
  try {
    await expect(Session.begin(channel, 'serializable')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
  } finally {
    await pool.end()
    server.close()
  }
})
