import { MinionsError } from '@minions/core'
import type { PoolClient } from 'pg'
import { isCollision, isConnectionLoss, translate, unknownOutcome } from './errors.js'
import { attemptsOn, type Channel, type Executor, type Result, send } from './executor.js'
import type { Statement } from './sql/statement.js'

const BEGIN = {
  serializable: 'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE',
  readCommitted: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
} as const

const ignore = () => {}

/** One connection of the pool while it runs a transaction. */
export class Session implements Executor {
  readonly #client: PoolClient
  readonly #channel: Channel
  /** The first error of a statement. The server accepts no more statements after it, however the error was handled. */
  #failure: { readonly error: unknown } | undefined
  /** The running statement. */
  #running: Promise<unknown> | undefined
  /** No more statements are accepted. */
  #ended = false
  #released = false

  private constructor(client: PoolClient, channel: Channel) {
    this.#client = client
    this.#channel = channel
    // A connection lost between two statements emits an event that nothing else listens to.
    client.on('error', this.#noteLoss)
  }

  /** Acquires a connection and begins. Nothing has happened yet, so a dead connection is replaced with the next. */
  static async begin(channel: Channel, isolation: keyof typeof BEGIN): Promise<Session> {
    for (let remaining = attemptsOn(channel.pool); ; remaining -= 1) {
      const session = await Session.#connect(channel)
      try {
        await session.run({ text: BEGIN[isolation], values: [] })
        return session
      } catch (error) {
        await session.rollback()
        if (remaining === 1 || !session.lost) throw error
      }
    }
  }

  /**
   * With a callback, since a promise would be too late: an error may come in the same packet as the server's greeting.
   */
  static #connect(channel: Channel): Promise<Session> {
    return new Promise((resolve, reject) => {
      channel.pool.connect((error, client) => {
        if (client) resolve(new Session(client, channel))
        else reject(translate(error, channel.where))
      })
    })
  }

  /** True if retrying the transaction may help. */
  get collided(): boolean {
    return this.#failure !== undefined && isCollision(this.#failure.error)
  }

  get lost(): boolean {
    return this.#failure !== undefined && isConnectionLoss(this.#failure.error)
  }

  async run(statement: Statement): Promise<Result> {
    if (this.#ended) throw new MinionsError('CLOSED', 'This transaction has ended.')
    if (this.#failure) throw translate(this.#failure.error, this.#channel.where)
    const sent = send(this.#client, statement, this.#channel)
    this.#running = sent
    try {
      return await sent
    } catch (error) {
      this.#failure ??= { error }
      throw translate(error, this.#channel.where)
    } finally {
      if (this.#running === sent) this.#running = undefined
    }
  }

  /**
   * Commits, after a last statement that is sent together with it. Throws the driver's own error, unless it is unknown
   * whether the transaction was committed.
   */
  async commit(last?: string): Promise<void> {
    this.#ended = true
    await this.#running?.catch((error) => this.#noteLoss(error))
    if (this.#failure) throw this.#failure.error
    try {
      await this.#client.query(last === undefined ? 'COMMIT' : `${last}; COMMIT`)
    } catch (error) {
      this.#failure ??= { error }
      if (!isConnectionLoss(error)) throw error
      throw unknownOutcome(error, this.#channel.where, 'commit', 'the transaction')
    }
    this.#release()
  }

  /** Rolls back. Never throws. */
  async rollback(): Promise<void> {
    if (this.#released) return
    this.#ended = true
    // A running statement would delay the rollback; when its connection is cut the server cancels it.
    if (this.#running || this.lost) return this.#release(true)
    try {
      await this.#client.query('ROLLBACK')
      this.#release()
    } catch {
      this.#release(true)
    }
  }

  #noteLoss = (error: unknown): void => {
    this.#failure ??= { error }
  }

  #release(destroy = false): void {
    this.#released = true
    this.#client.off('error', this.#noteLoss)
    if (destroy) this.#client.on('error', ignore)
    this.#client.release(destroy)
  }
}
