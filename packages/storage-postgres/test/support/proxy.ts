import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  readonly url: string
  /** Passes on the next packet that contains this text, and cuts the client off before it can see the answer. */
  cutAt(text: string): void
  stop(): Promise<void>
}

/** Stands between the driver and the server, to cut connections at an exact moment. */
export async function startProxy(target: string): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let awaited: string | undefined
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (data) => {
      upstream.write(data)
      if (awaited === undefined || !data.includes(awaited)) return
      awaited = undefined
      client.destroy()
    })
    upstream.on('data', (data) => client.writable && client.write(data))
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    url: url.href,
    cutAt: (text) => {
      awaited = text
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
