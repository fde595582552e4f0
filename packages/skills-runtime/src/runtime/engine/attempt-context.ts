import { copyJson, type JsonObject, type JsonValue } from '@minions/core/json'
import { readClock } from '@minions/core/plugin'
import type { ReplyOptions } from '../../bus/bus-options.js'
import type { Message } from '../../bus/message/message-schema.js'
import type { MessageBus } from '../../bus/message-bus.js'
import { skillsError } from '../../errors.js'
import type {
  CommitWork,
  MessageOptions,
  SkillContext,
  SkillLog,
  WaitOptions,
} from '../../skills/definition/skill-context.js'
import type { LogLevel } from '../executions/log-schema.js'
import type { Attempt } from './attempt.js'
import { executionIds } from './ids.js'

/** The context of one attempt. Its methods throw once the attempt has ended. */
export class AttemptContext implements SkillContext {
  readonly #attempt: Attempt
  #log: SkillLog | undefined

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  get signal(): AbortSignal {
    return this.#attempt.signal
  }

  get agentId(): string {
    return this.#attempt.session.agentId
  }

  get executionId(): string {
    return this.#attempt.job.execution.execution_id
  }

  get attempt(): number {
    return this.#attempt.job.execution.retry_count + 1
  }

  get idempotencyKey(): string {
    return this.#attempt.job.idempotencyKey
  }

  get state(): JsonValue | undefined {
    const { state } = this.#attempt.job
    return state === undefined ? undefined : copyJson(state)
  }

  get elapsedMs(): number {
    return this.#attempt.elapsedMs
  }

  get log(): SkillLog {
    this.#log ??= this.#createLog()
    return this.#log
  }

  progress(fraction: number, note?: string): void {
    this.#attempt.throwIfEnded()
    if (!(fraction >= 0 && fraction <= 1)) {
      throw skillsError('VALIDATION_FAILED', 'Progress must be a number from 0 to 1.')
    }
    const { runtime, ids, logs } = this.#attempt.session
    const event = { ...executionIds(ids, this.#attempt.job.execution), fraction, note }
    runtime.log.debug('progress', event)
    logs.edit(this.#attempt.job.execution).progress(readClock(runtime.clock), fraction, note)
    runtime.events.emit('execution.progress', event)
  }

  async checkpoint(state: JsonValue): Promise<void> {
    this.#attempt.throwIfEnded()
    const copy = copyJson(state ?? null, 'The state of a checkpoint')
    await this.#attempt.session.checkpoint(this.#attempt.job, copy)
    this.#attempt.throwIfEnded()
  }

  /** A step's work is committed with the composed skill that it is part of. */
  onCommit(work: CommitWork): void {
    this.#attempt.throwIfEnded()
    let { job } = this.#attempt
    while (job.parent !== undefined) job = job.parent.job
    job.commitWork = [...(job.commitWork ?? []), work]
  }

  async publish(topic: string, payload: JsonObject, options?: MessageOptions): Promise<Message> {
    return this.#bus().publish(topic, payload, { ...options, sender_id: this.agentId })
  }

  async send(agentId: string, payload: JsonObject, options?: MessageOptions): Promise<Message> {
    return this.#bus().send(agentId, payload, { ...options, sender_id: this.agentId })
  }

  async request(agentId: string, payload: JsonObject, options?: MessageOptions & WaitOptions): Promise<Message> {
    return this.#bus().request(agentId, payload, { ...options, sender_id: this.agentId, signal: this.signal })
  }

  async reply(request: Message, payload: JsonObject, options?: Omit<ReplyOptions, 'sender_id'>): Promise<Message> {
    return this.#bus().reply(request, payload, { ...options, sender_id: this.agentId })
  }

  async receive(options?: WaitOptions): Promise<Message> {
    return this.#bus().receive(this.agentId, { ...options, signal: this.signal })
  }

  /** Lines go to the logger and, while the attempt lasts, to the log of the execution. */
  #createLog(): SkillLog {
    const { session, job } = this.#attempt
    const logger = session.runtime.log.child({ ...executionIds(session.ids, job.execution) })
    const line = (level: LogLevel) => (message: string, fields?: JsonObject) => {
      logger[level](message, fields)
      if (this.#attempt.hasEnded) return
      session.logs.edit(job.execution).add(readClock(session.runtime.clock), this.attempt, level, message, fields)
    }
    return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
  }

  /** Every call is made as the running agent, whatever the skill passes. */
  #bus(): MessageBus {
    this.#attempt.throwIfEnded()
    return this.#attempt.session.runtime.bus
  }
}
