import type { CollectionWrites } from '@minions/core/storage'
import { PreparedBatch } from './batch-statement.js'
import { isConnectionLoss, sqlState, translate } from './errors.js'
import { send } from './executor.js'
import { type BatchTarget, writeBatch } from './write-batch.js'

/** Maximum number of batches and of characters in a statement. */
const MOST_BATCHES = 100
const MOST_LENGTH = 1_000_000

/** The batches were not written together, unless it was only the connection that was `lost`. */
interface Unwritten {
  readonly lost?: unknown
}

interface Shared {
  readonly batches: [PreparedBatch, ...PreparedBatch[]]
  readonly written: Set<string>
  length: number
  readonly outcome: Promise<Unwritten | undefined>
}

/**
 * Lets batches of one shape that are written in the same turn of the event loop share a statement, and so a commit: a
 * round trip costs more than most batches. When one of them is refused, each is written alone; so it is when one
 * checks what another writes, because writes come first and a check does not find a row that its own statement
 * changed. Batches of different shapes do not share: there would be too many statements to prepare.
 */
export class SharedWrites {
  readonly #open = new Map<string, Shared>()

  async write(target: BatchTarget, batch: readonly CollectionWrites[], retries: number): Promise<void> {
    const prepared = target.batches.prepare(batch)
    const unwritten = await this.#join(target, prepared)
    if (unwritten) await writeBatch(target, batch, prepared, retries, unwritten.lost)
  }

  #join(target: BatchTarget, batch: PreparedBatch): Promise<Unwritten | undefined> {
    const { shape, written, length } = batch
    const open = this.#open.get(shape)
    if (
      open &&
      open.batches.length < MOST_BATCHES &&
      open.length + length <= MOST_LENGTH &&
      !written.some((record) => open.written.has(record))
    ) {
      open.batches.push(batch)
      open.length += length
      for (const record of written) open.written.add(record)
      return open.outcome
    }
    const batches: Shared['batches'] = [batch]
    const outcome = new Promise<void>((resolve) => process.nextTick(resolve)).then(() => {
      if (this.#open.get(shape)?.batches === batches) this.#open.delete(shape)
      return batches.length === 1 ? {} : writeTogether(target, batches)
    })
    this.#open.set(shape, { batches, written: new Set(written), length, outcome })
    return outcome
  }
}

async function writeTogether(
  { channel, batches: statements }: BatchTarget,
  batches: Shared['batches'],
): Promise<Unwritten | undefined> {
  try {
    await send(channel.pool, statements.statement(PreparedBatch.joined(batches)), channel)
    return undefined
  } catch (error) {
    if (isConnectionLoss(error)) return { lost: error }
    // No connection became free; waiting for one once more would take twice the time allowed.
    if (sqlState(error) === undefined) throw translate(error, channel.where)
    return {}
  }
}
