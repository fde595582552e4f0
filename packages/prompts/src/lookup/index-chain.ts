import { coreError, isDeleted } from '@minions/core'
import type { StoreTransaction } from '@minions/core/storage'
import { type ArrangedChain, arrangeChain, type ChainContent } from '../chain/arrange-chain.js'
import { type ChainReader, storeReader } from '../chain/chain-reader.js'
import { compareTimes, numberOf, sortableTime } from '../chain/compare-age.js'
import { isNumbered } from '../chain/find-root.js'
import { isTemplate, type PromptMinion } from '../chain/prompt-minion.js'
import { readChain } from '../chain/read-chain.js'
import { type IndexedVersion, promptVersionsCollection } from './collections.js'
import { replaceEntries } from './replace-entries.js'

/** A member of a chain that can be determined only by relations. */
const IRREGULAR = { promptId: null, time: '', number: 0, step: 0, live: false, followed: false } as const

/** Reads the chain of a prompt or version and rewrites its entries; resolves to the ids of its members. */
export async function indexChain(tx: StoreTransaction, id: string): Promise<string[]> {
  const reader = storeReader(tx)
  const [start] = await reader.prompts([id])
  if (!start) return []
  const chain = await readChain(reader, start)
  const entries = await entriesOf(reader, chain)
  const ids = [...chain.minions.keys()]
  await replaceEntries(tx, promptVersionsCollection, await entriesAt(tx, ids), entries)
  return ids
}

/** The entries that exist for these ids. */
export async function entriesAt(tx: StoreTransaction, ids: readonly string[]): Promise<IndexedVersion[]> {
  const found = await tx.getMany(promptVersionsCollection, [...new Set(ids)])
  return found.flatMap((revised) => revised?.record ?? [])
}

/** The entry of a version with a known position in its chain. */
export function entryOf(
  minion: PromptMinion,
  position: Pick<IndexedVersion, 'promptId' | 'step' | 'followed'>,
): IndexedVersion {
  return {
    id: minion.id,
    time: sortableTime(minion.createdAt),
    number: numberOf(minion),
    ...(!isTemplate(minion) && isNumbered(minion) && { versionNumber: numberOf(minion) }),
    live: !isDeleted(minion),
    ...position,
  }
}

async function entriesOf(reader: ChainReader, chain: ChainContent): Promise<IndexedVersion[]> {
  const arranged = tryToArrange(chain)
  const rootId = arranged && (await onlyRoot(reader, chain, arranged))
  if (!arranged || rootId === undefined) {
    return Array.from(chain.minions.keys(), (id) => ({ id, ...IRREGULAR }))
  }
  return chain.minions.size === 1 ? [] : regularEntries(rootId, chain, arranged)
}

function tryToArrange(chain: ChainContent): ArrangedChain | undefined {
  try {
    return arrangeChain(chain)
  } catch (error) {
    if (coreError.is(error, 'CYCLE')) return undefined
    throw error
  }
}

/** The single root of a chain; undefined if not all versions unambiguously belong to one. */
async function onlyRoot(
  reader: ChainReader,
  { follows }: ChainContent,
  { all }: ArrangedChain,
): Promise<string | undefined> {
  const following = new Set(follows.map(({ sourceId }) => sourceId))
  const [root, second] = all.filter(({ id }) => !following.has(id))
  if (!root || second || all.some((minion) => isTemplate(minion) && minion !== root)) return undefined
  const versions = all.filter((minion) => !isTemplate(minion)).map(({ id }) => id)
  const partOf = await reader.relations('sourceIds', versions, ['part_of'])
  const elsewhere = new Set(partOf.map(({ targetId }) => targetId))
  elsewhere.delete(root.id)
  return (await reader.prompts([...elsewhere])).some(isTemplate) ? undefined : root.id
}

function regularEntries(
  promptId: string,
  { follows }: ChainContent,
  { all, followed }: ArrangedChain,
): IndexedVersion[] {
  const byTime = follows.toSorted((a, b) => compareTimes(a.createdAt, b.createdAt))
  /** The parent of each version; of several, the one linked first. */
  const parents = new Map(byTime.reverse().map(({ sourceId, targetId }) => [sourceId, targetId]))
  const steps = new Map<string, number>()
  return all.flatMap((minion) => {
    const { id } = minion
    const step = isNumbered(minion) ? numberOf(minion) : 1 + (steps.get(parents.get(id) ?? '') ?? 0)
    steps.set(id, step)
    return isTemplate(minion) ? [] : [entryOf(minion, { promptId, step, followed: followed.has(id) })]
  })
}
