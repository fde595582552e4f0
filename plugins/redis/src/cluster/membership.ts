import { generateId, messageOf } from '@minions/core'
import { repeat, sleep } from '@minions/core/coordination'
import type { Redis } from 'ioredis'
import { serverName } from '../connection/server-name.js'
import { translateError } from '../connection/translate-error.js'
import { redisError } from '../errors.js'
import type { ResolvedOptions } from '../options.js'
import { ACKNOWLEDGE, LEAVE, SEND, SIGN_OF_LIFE } from './scripts.js'

export interface MembershipObserver {
  /** All members by id, with the number of their current inbox. */
  changed(members: ReadonlyMap<string, string>): void
  /** Redis lost this member, which now has a new inbox. */
  moved(): void
  rejoined(): void
}

/** Number of heartbeats within the time after which a member counts as gone. */
const SIGNS = 10

export class Membership {
  readonly id = generateId()
  /** Prefix of all keys. The braces keep them on one node of a Redis cluster. */
  readonly base: string
  readonly #client: Redis
  readonly #options: ResolvedOptions
  readonly #observer: MembershipObserver
  readonly #server: string
  #epoch = 0
  #members: ReadonlyMap<string, string> = new Map()
  /** The clock of Redis minus ours, in milliseconds. */
  #offset = 0
  #rejoining: Promise<void> | undefined
  #isLost = false
  /** Members at the time of the data loss, until all are back. */
  readonly #expected = new Set<string>()
  #isClosed = false
  #stop = () => {}
  losses = 0

  constructor(client: Redis, options: ResolvedOptions, observer: MembershipObserver) {
    this.#client = client
    this.#options = options
    this.#observer = observer
    this.#server = serverName(options.url)
    this.base = `{${options.prefix}}`
  }

  /** Name of this member and its current inbox. */
  get name(): string {
    return `${this.id}:${this.#epoch}`
  }

  get inbox(): string {
    return `${this.base}:inbox:${this.name}`
  }

  get members(): ReadonlyMap<string, string> {
    return this.#members
  }

  /** Milliseconds since 1970 by the clock of Redis, which all members share; clocks of machines may differ. */
  now(): number {
    return this.#options.timers.now() + this.#offset
  }

  /** Throws `PREFIX_IN_USE`. */
  async join(): Promise<void> {
    await this.#signOfLife(true)
    const pause = this.#options.memberTtlMs / SIGNS
    const report = (error: unknown) =>
      this.#options.logger.debug('no heartbeat to Redis', { server: this.#server, error: messageOf(error) })
    this.#stop = repeat(pause, () => this.check(), report, this.#options.timers, { background: true })
  }

  /** Sends a heartbeat, and rejoins if Redis lost this member. */
  async check(): Promise<void> {
    if (this.#isClosed) return
    if (this.#isLost || !(await this.#signOfLife(false))) await this.rejoin()
  }

  /** True if Redis certainly knows all members, so that messages reach them. */
  get isSettled(): boolean {
    return !this.#isLost
  }

  /**
   * Sends a frame to all others (`*`) or to one; resolves to the receivers, by id. Undefined: Redis does not know this
   * member.
   */
  async send(to: string, frame: string): Promise<ReadonlyMap<string, string> | undefined> {
    const sent = await this.#run(SEND, to, frame)
    if (sent[0] !== 'ok') return undefined
    const receivers = namesOf(sent.slice(1))
    if (to === '*') this.#members = new Map(receivers).set(this.id, String(this.#epoch))
    return receivers
  }

  /** Sends an answer to one member, if it still exists. */
  async answer(to: string, frame: string): Promise<void> {
    const sent = await this.#run(ACKNOWLEDGE, to, frame)
    if (sent[0] === 'lost') await this.rejoin()
  }

  /**
   * Rejoins after Redis lost its data, and waits until all previous members have done so too: earlier messages would
   * not reach them. A member that does not come back in time is gone.
   */
  rejoin(): Promise<void> {
    this.#isLost = true
    this.#rejoining ??= this.#rejoin().finally(() => {
      this.#rejoining = undefined
    })
    return this.#rejoining
  }

  async leave(): Promise<void> {
    this.#isClosed = true
    this.#stop()
    await this.#run(LEAVE)
  }

  async #rejoin(): Promise<void> {
    const { timers, memberTtlMs, logger } = this.#options
    this.losses++
    logger.warn('Redis lost this process; rejoining', { server: this.#server, losses: this.losses })
    for (const id of this.#members.keys()) this.#expected.add(id)
    const deadline = timers.now() + memberTtlMs
    const before = this.name
    this.#epoch++
    this.#observer.moved()
    while (!(await this.#signOfLife(true, before))) await sleep(memberTtlMs / 100, timers)
    while (!this.#isClosed && timers.now() < deadline && [...this.#expected].some((id) => !this.#members.has(id))) {
      await sleep(memberTtlMs / 100, timers)
      await this.#signOfLife(false)
    }
    this.#isLost = false
    this.#expected.clear()
    if (!this.#isClosed) this.#observer.rejoined()
  }

  /** False if Redis does not know this member. */
  async #signOfLife(isJoining: boolean, before = ''): Promise<boolean> {
    const { memberTtlMs, cluster, prefix, timers } = this.#options
    const asked = timers.now()
    const answer = await this.#run(SIGN_OF_LIFE, String(memberTtlMs), cluster, isJoining ? '1' : '0', before)
    if (answer[0] === 'foreign') {
      const text = `The prefix "${prefix}" on ${this.#server} belongs to the cluster "${answer[1]}", not to "${cluster}"; choose another "prefix", or the same "cluster".`
      throw redisError('PREFIX_IN_USE', text, { details: { prefix, cluster, owner: answer[1] } })
    }
    if (answer[0] !== 'ok') return false
    this.#offset = Number(answer[1]) - (asked + timers.now()) / 2
    const members = namesOf(answer.slice(2))
    this.#members = members
    this.#observer.changed(members)
    return true
  }

  async #run(script: string, ...values: string[]): Promise<string[]> {
    const keys = [`${this.base}:members`, `${this.base}:cluster`]
    try {
      const answer = await this.#client.eval(script, 2, ...keys, this.base, this.name, ...values)
      return Array.isArray(answer) ? answer.map(String) : []
    } catch (error) {
      throw translateError(error, this.#server)
    }
  }
}

/** `<id>:<epoch>` of each member as a map. */
function namesOf(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [name.slice(0, name.lastIndexOf(':')), name.slice(name.lastIndexOf(':') + 1)]))
}
