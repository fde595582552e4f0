import type { JsonObject, JsonValue } from '@minions/core/json'
import type { ReplyOptions } from '../../bus/bus-options.js'
import type { Message } from '../../bus/message/message-schema.js'
import type { MessageOptions, SkillContext, SkillLog, WaitOptions } from '../../skills/definition/skill-context.js'
import type { HostLink } from './host-link.js'
import type { WorkerTask } from './protocol.js'
import { codedError } from './transferred-error.js'

/** The context inside a worker. What it does happens in the host; it can reach nothing there but these methods. */
export class RemoteContext implements SkillContext {
  readonly agentId: string
  readonly executionId: string
  readonly attempt: number
  readonly idempotencyKey: string
  readonly state: JsonValue | undefined
  readonly log: SkillLog
  readonly #link: HostLink
  readonly #began = performance.now()
  #stood = 0

  constructor({ facts, state }: Pick<WorkerTask, 'facts' | 'state'>, link: HostLink) {
    this.agentId = facts.agentId
    this.executionId = facts.executionId
    this.attempt = facts.attempt
    this.idempotencyKey = facts.idempotencyKey
    this.state = state
    this.#link = link
    const line = (level: keyof SkillLog) => (message: string, fields?: JsonObject) =>
      link.say({ type: 'log', level, message: String(message), fields })
    this.log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  }

  get signal(): AbortSignal {
    return this.#link.signal
  }

  get elapsedMs(): number {
    return performance.now() - this.#began - this.#stood
  }

  progress(fraction: number, note?: string): void {
    if (!(fraction >= 0 && fraction <= 1))
      throw codedError('VALIDATION_FAILED', 'Progress must be a number from 0 to 1.')
    this.#link.say({ type: 'progress', fraction, note })
  }

  /** A pause takes effect here, so its duration does not count. */
  async checkpoint(state: JsonValue): Promise<void> {
    const began = performance.now()
    try {
      return await this.#link.call<void>('checkpoint', state)
    } finally {
      this.#stood += performance.now() - began
    }
  }

  onCommit(): never {
    const message = 'A skill in a worker cannot take part in a transaction; return what is to be stored.'
    throw codedError('CAPABILITY_MISSING', message)
  }

  publish(topic: string, payload: JsonObject, options?: MessageOptions): Promise<Message> {
    return this.#link.call('publish', topic, payload, options)
  }

  send(agentId: string, payload: JsonObject, options?: MessageOptions): Promise<Message> {
    return this.#link.call('send', agentId, payload, options)
  }

  request(agentId: string, payload: JsonObject, options?: MessageOptions & WaitOptions): Promise<Message> {
    return this.#link.call('request', agentId, payload, options)
  }

  reply(request: Message, payload: JsonObject, options?: Omit<ReplyOptions, 'sender_id'>): Promise<Message> {
    return this.#link.call('reply', request, payload, options)
  }

  receive(options?: WaitOptions): Promise<Message> {
    return this.#link.call('receive', options)
  }
}
