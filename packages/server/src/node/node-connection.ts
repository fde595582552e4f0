import type { IncomingMessage } from 'node:http'
import type { Connection } from '../http/authenticate.js'

/** The connection of a request to a server of Node; few requests look at it. */
export class NodeConnection implements Connection {
  readonly #incoming: Pick<IncomingMessage, 'socket' | 'headers'>
  readonly #outgoing: { readonly destroyed: boolean }

  constructor(incoming: Pick<IncomingMessage, 'socket' | 'headers'>, outgoing: { readonly destroyed: boolean }) {
    this.#incoming = incoming
    this.#outgoing = outgoing
  }

  get remoteAddress(): string | undefined {
    return this.#incoming.socket.remoteAddress
  }

  get received(): object {
    return this.#incoming.headers
  }

  isOpen(): boolean {
    return !this.#outgoing.destroyed
  }
}
