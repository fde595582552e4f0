import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { BIN, type Minions } from './minions.js'

function ip(...words: string[]): void {
  execFileSync('ip', words, { stdio: 'pipe' })
}

/** True if network namespaces can be made here; that takes Linux, the program `ip` and the rights of root. */
export const canIsolate = (() => {
  const name = `minions-probe-${process.pid}`
  try {
    ip('netns', 'add', name)
    ip('netns', 'delete', name)
    return true
  } catch {
    return false
  }
})()

export const needsNamespaces = 'network namespaces: run as root on Linux, with iproute2'

/**
 * A machine of its own as far as the network goes: a namespace from which a server of this machine, and nothing else, can be
 * reached, at `url`.
 */
export class Machine {
  readonly url: string
  readonly #name: string
  readonly #relay: Server
  readonly #sockets: Set<Socket>

  private constructor(name: string, url: string, relay: Server, sockets: Set<Socket>) {
    this.#name = name
    this.url = url
    this.#relay = relay
    this.#sockets = sockets
  }

  /** Makes one from which the server at this URL can be reached. */
  static async open(serverUrl: string): Promise<Machine> {
    const number = randomInt(2 ** 20).toString(36)
    const [name, outside, inside] = [`minions-${number}`, `mo-${number}`, `mi-${number}`]
    const subnet = `10.${randomInt(64, 128)}.${randomInt(256)}`
    ip('netns', 'add', name)
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside)
    ip('link', 'set', inside, 'netns', name)
    ip('address', 'add', `${subnet}.1/30`, 'dev', outside)
    ip('link', 'set', outside, 'up')
    ip('-netns', name, 'address', 'add', `${subnet}.2/30`, 'dev', inside)
    ip('-netns', name, 'link', 'set', inside, 'up')
    const server = new URL(serverUrl)
    const { hostname, port } = server
    const sockets = new Set<Socket>()
    const relay = createServer((client) => {
      const upstream = connect(Number(port || 5432), hostname)
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => other.destroy())
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    relay.listen(0, `${subnet}.1`)
    await once(relay, 'listening')
    const address = relay.address()
    server.hostname = `${subnet}.1`
    server.port = String(typeof address === 'object' ? address?.port : address)
    return new Machine(name, server.href, relay, sockets)
  }

  /** Starts a command line of `minions` there. */
  start(minions: Minions, args: readonly string[]): ChildProcess {
    const env = { PATH: process.env.PATH ?? '', HOME: minions.home, MINIONS_HOME: minions.home }
    const words = ['netns', 'exec', this.#name, process.execPath, BIN, ...args]
    return spawn('ip', words, { env, cwd: minions.home, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#relay.close()
    // Its end of the link goes with it, and ours with that.
    ip('netns', 'delete', this.#name)
  }
}
