import type { MessagePort } from 'node:worker_threads'
import type { JsonObject, JsonValue } from '@minions/core'
import type { Message } from '../message/message-schema.js'
import type { MessageOptions, SkillContext, SkillLog } from '../skill/skill-context.js'
import type { RemoteMethod, ToHost, ToWorker, WorkerTask } from './protocol.js'
import { receiveError } from './transferred-error.js'

interface Call {
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** The context inside a worker. What it does happens in the host; it can reach nothing there but these methods. */
export class RemoteContext implements SkillContext {
  readonly agentId: string
  readonly executionId: string
  readonly attempt: number
  readonly idempotencyKey: string
  readonly state: JsonValue | undefined
  readonly log: SkillLog
  readonly #port: MessagePort
  readonly #calls = new Map<number, Call>()
  #controller: AbortController | undefined
  #listens = false
  #lastId = 0

  constructor({ facts, state, port }: Pick<WorkerTask, 'facts' | 'state' | 'port'>) {
    this.agentId = facts.agentId
    this.executionId = facts.executionId
    this.attempt = facts.attempt
    this.idempotencyKey = facts.idempotencyKey
    this.state = state
    this.#port = port
    const line = (level: keyof SkillLog) => (message: string, fields?: JsonObject) =>
      this.#post({ type: 'log', level, message: String(message), fields })
    this.log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    this.#listen()
    return this.#controller.signal
  }

  progress(fraction: number, note?: string): void {
    if (!(fraction >= 0 && fraction <= 1)) throw new RangeError('Progress is a number from 0 to 1.')
    this.#post({ type: 'progress', fraction, note })
  }

  checkpoint(state: JsonValue): Promise<void> {
    return this.#call('checkpoint', state)
  }

  onCommit(): never {
    throw new Error('A skill in a worker cannot take part in a transaction; return what is to be stored.')
  }

  publish(topic: string, payload: JsonObject, options?: MessageOptions): Promise<Message> {
    return this.#call('publish', topic, payload, options)
  }

  send(agentId: string, payload: JsonObject, options?: MessageOptions): Promise<Message> {
    return this.#call('send', agentId, payload, options)
  }

  request(agentId: string, payload: JsonObject, options?: MessageOptions & { timeout?: number }): Promise<Message> {
    return this.#call('request', agentId, payload, options)
  }

  reply(
    request: Message,
    payload: JsonObject,
    options?: Omit<MessageOptions, 'correlation_id'> & { message_type?: 'response' | 'error' },
  ): Promise<Message> {
    return this.#call('reply', request, payload, options)
  }

  receive(options?: { timeout?: number }): Promise<Message> {
    return this.#call('receive', options)
  }

  #call<T>(method: RemoteMethod, ...args: unknown[]): Promise<T> {
    this.#listen()
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#post({ type: 'call', id, method, args })
      this.#calls.set(id, { resolve, reject })
    })
  }

  #post(message: ToHost): void {
    this.#port.postMessage(message)
  }

  /** Most skills need no answer, and a port that listens costs time. */
  #listen(): void {
    if (this.#listens) return
    this.#listens = true
    this.#port.on('message', (message: ToWorker) => {
      if (message.type === 'abort') {
        this.#controller ??= new AbortController()
        this.#controller.abort(receiveError(message.reason))
        return
      }
      const call = this.#calls.get(message.id)
      this.#calls.delete(message.id)
      if (message.type === 'returned') call?.resolve(message.value as never)
      else call?.reject(receiveError(message.error))
    })
  }
}
