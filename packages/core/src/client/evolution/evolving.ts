import { compareCodePoints } from '../../json/compare.js'
import type { JsonValue } from '../../json/json-value.js'
import type { Minion } from '../../schemas/minion.js'
import type { StoreReader, StoreTransaction } from '../../storage/access.js'
import type { DataVersion } from '../../storage/backend.js'
import { isStore } from '../../storage/is-store.js'
import type { CollectionQuery, Page } from '../../storage/query.js'
import { type Evolution, evolutionsCollection, evolvedMinionsCollection, minionsCollection } from '../collections.js'
import type { Session } from '../session.js'
import { evolveMinion } from './evolve-minion.js'

const PAGE_SIZE = 1000

/** Minions read together, with whatever else the reader returns. */
interface Found {
  readonly items: readonly Minion[]
  /** The version of the data that they were read from, if known. */
  readonly version?: DataVersion | undefined
}

/**
 * Reads minions and returns them in the current shape of their types. The result of a plain read is verified
 * afterwards: if a type changed meanwhile or is evolving, minions and progress are read again in one transaction, where
 * they are consistent.
 */
export async function readCurrent<F extends Found>(
  session: Session,
  read: (reader: StoreReader) => Promise<F>,
): Promise<F> {
  const { store, types } = session
  if (!isStore(store)) return inSnapshot(session, store, read)
  const { changes } = types
  const found = await read(store)
  const typeIds = typeIdsOf(found.items)
  const areCurrent = types.areCurrent(store, typeIds, changes, found.version)
  // Usually known without a read.
  if (areCurrent === true || (areCurrent !== false && (await areCurrent))) return found
  const current = await store.transaction((tx) => inSnapshot(session, tx, read))
  await types.forgetEnded(store, typeIds)
  return current
}

/** All minions that a query finds, page by page, in the current shape of their types. */
export async function* iterateCurrent(session: Session, query: CollectionQuery): AsyncIterable<Minion> {
  let cursor: string | undefined
  do {
    const asked: CollectionQuery = { limit: PAGE_SIZE, ...query, ...(cursor !== undefined && { cursor }) }
    const page: Page<Minion> = await readCurrent(session, (reader) => reader.find(minionsCollection, asked))
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== undefined)
}

async function inSnapshot<F extends Found>(
  session: Session,
  reader: StoreReader,
  read: (reader: StoreReader) => Promise<F>,
): Promise<F> {
  const found = await read(reader)
  const pending = await pendingEvolutions(session, reader, found.items)
  if (pending.size === 0) return found
  const items = found.items.map((minion) => {
    const evolution = pending.get(minion.id)
    return evolution ? evolveMinion(session, evolution, minion).minion : minion
  })
  return { ...found, items }
}

/** Evolutions that have not reached these minions yet, by minion id, as seen by a transaction. */
export async function pendingEvolutions(
  session: Session,
  reader: StoreReader,
  minions: readonly Minion[],
): Promise<ReadonlyMap<string, Evolution>> {
  const pending = new Map<string, Evolution>()
  const typeIds = typeIdsOf(minions).filter((id) => session.types.mayEvolve(id))
  if (typeIds.length === 0) return pending
  const found = await reader.getMany(evolutionsCollection, typeIds)
  const underWay = new Map(found.flatMap((revised) => (revised ? [[revised.record.typeId, revised.record]] : [])))
  const waiting = minions.flatMap(({ id, minionTypeId }) => {
    const evolution = underWay.get(minionTypeId)
    // Minions are migrated in id order.
    const isPast = evolution?.doneThrough !== undefined && compareCodePoints(id, evolution.doneThrough) <= 0
    return evolution && !isPast ? [{ id, evolution }] : []
  })
  if (waiting.length === 0) return pending
  const marks = await reader.getMany(
    evolvedMinionsCollection,
    waiting.map(({ id, evolution }) => [evolution.typeId, id]),
  )
  for (const [index, { id, evolution }] of waiting.entries()) if (!marks[index]) pending.set(id, evolution)
  return pending
}

/** Marks a minion just written with the new schema as done for an evolution; `before` is its previous state. */
export async function noteEvolved(
  session: Session,
  tx: StoreTransaction,
  evolution: Evolution,
  minionId: string,
  before?: Minion,
): Promise<void> {
  const { report = null, awaiting = [] } = before ? evolveMinion(session, evolution, before) : {}
  await tx.put(evolvedMinionsCollection, {
    typeId: evolution.typeId,
    minionId,
    report: report as JsonValue,
    ...(awaiting.length > 0 && { awaiting: [...awaiting], before }),
  })
}

function typeIdsOf(minions: readonly Minion[]): string[] {
  return [...new Set(minions.map(({ minionTypeId }) => minionTypeId))]
}
