import { type CollectionWrites, type RecordWrite, writeConflict } from '@minions/core/storage'
import type { BatchStatements, PreparedBatch } from './batch-statement.js'
import { isCollision, isConnectionLoss, sqlState, translate, unknownOutcome } from './errors.js'
import { type Channel, type Executor, send } from './executor.js'
import { type Collections, findCollection } from './reader.js'
import { COLLIDED, repeatedly } from './repeatedly.js'
import { explainCommit, explainWrite, WrittenReferences } from './violations.js'

/** The parts of an open store needed to write a batch. */
export interface BatchTarget {
  readonly channel: Channel
  /** For finding out, afterwards, why a batch was refused. */
  readonly executor: Executor
  readonly collections: Collections
  readonly batches: BatchStatements
}

/** The error of a batch statement when an expectation fails. */
const NOT_AS_EXPECTED = '22012'

/**
 * Number of times a statement is resent after its connection broke; the pool may have more than one dead connection.
 */
const MAX_LOSSES = 3

/**
 * Writes a batch with one statement, which is a transaction by itself. It reads only the rows that it locks, so read
 * committed is enough: it waits for a row that another transaction is writing and then compares its new state.
 *
 * When the connection breaks, the batch may have happened. One with an expectation on a record it writes is then
 * resent: it cannot happen twice, and the revision of that record tells whether it has happened once. `lost` is the
 * error with which a connection broke that it was sent on before.
 */
export function writeBatch(
  target: BatchTarget,
  batch: readonly CollectionWrites[],
  prepared: PreparedBatch,
  retries: number,
  lost?: unknown,
): Promise<void> {
  const { channel, batches } = target
  const statement = batches.statement(prepared)
  const tellTale = findTellTale(batch)
  let losses = 0
  const countLoss = (error: unknown) => {
    losses += 1
    if (tellTale === undefined || losses > MAX_LOSSES) throw unknownOutcome(error, channel.where, 'write', 'it')
  }
  if (lost !== undefined) countLoss(lost)
  return repeatedly(channel, retries, async () => {
    try {
      await send(channel.pool, statement, channel)
      return undefined
    } catch (error) {
      if (isCollision(error)) return COLLIDED
      if (isConnectionLoss(error)) {
        countLoss(error)
        return COLLIDED
      }
      if (sqlState(error) !== NOT_AS_EXPECTED) throw await explain(error, target, batch)
      const conflict = await findConflict(target, batch)
      // A failed expectation may hold again by now.
      if (losses === 0 && !conflict) return COLLIDED
      if (losses === 0) throw conflict
      if (tellTale && (await isStored(target, tellTale))) return undefined
      throw unknownOutcome(error, channel.where, 'write', 'it')
    }
  })
}

interface TellTale {
  readonly collection: string
  readonly write: RecordWrite
}

/** A record whose revision shows whether the batch has happened. */
function findTellTale(batch: readonly CollectionWrites[]): TellTale | undefined {
  for (const { collection, puts } of batch) {
    const write = puts.find(({ expect }) => expect !== undefined)
    if (write) return { collection, write }
  }
  return undefined
}

async function isStored({ collections, executor }: BatchTarget, { collection, write }: TellTale): Promise<boolean> {
  const { writer } = findCollection(collections, collection)
  return (await writer.revisions(executor, [write.key])).get(write.key) === write.revision
}

/** The first record that does not match its expectation; undefined if all of them do by now. */
async function findConflict(
  { collections, executor }: BatchTarget,
  batch: readonly CollectionWrites[],
): Promise<Error | undefined> {
  for (const { collection, puts, deletes, checks } of batch) {
    const expected = [...checks, ...puts, ...deletes].filter(({ expect }) => expect !== undefined)
    if (expected.length === 0) continue
    const { writer } = findCollection(collections, collection)
    const keys = expected.map(({ key }) => key)
    const revisions = await writer.revisions(executor, keys)
    const failed = expected.find(({ key, expect }) => (revisions.get(key) ?? null) !== expect)
    if (failed) return writeConflict(collection, failed.key, failed.expect, revisions.get(failed.key) ?? null)
  }
  return undefined
}

async function explain(
  error: unknown,
  { collections, executor, channel }: BatchTarget,
  batch: readonly CollectionWrites[],
): Promise<unknown> {
  const written = new WrittenReferences()
  for (const { collection, puts } of batch) {
    const { table } = findCollection(collections, collection)
    for (const write of puts) written.note(table, write)
    const broken = (error as { table?: unknown }).table === table.name && explainWrite(error, table, puts)
    if (broken) return broken
  }
  const tables = [...collections.values()].map(({ table }) => table)
  return (await explainCommit(error, tables, written, executor)) ?? translate(error, channel.where)
}
