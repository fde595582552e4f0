import { isDeleted, isMinionsError } from '@minions/core'
import { jsonEqual } from '@minions/core/json'
import type { StoreTransaction } from '@minions/core/storage'
import { type ArrangedChain, arrangeChain, type ChainContent } from '../chain/arrange-chain.js'
import { type ChainReader, storeReader } from '../chain/chain-reader.js'
import { compareTimes, numberOf, sortableTime } from '../chain/compare-age.js'
import { isNumbered } from '../chain/find-root.js'
import { isTemplate, type PromptMinion } from '../chain/prompt-minion.js'
import { readChain } from '../chain/read-chain.js'
import { type IndexedVersion, promptVersionsCollection } from './collections.js'

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
  const stored = await tx.getMany(promptVersionsCollection, ids)
  const gone = ids.filter((member, index) => stored[index] && !entries.has(member))
  const changed = ids.flatMap((member, index) => {
    const entry = entries.get(member)
    return entry && !jsonEqual(stored[index]?.record, entry) ? [entry] : []
  })
  await tx.deleteMany(promptVersionsCollection, gone)
  await tx.putMany(promptVersionsCollection, changed)
  return ids
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

async function entriesOf(reader: ChainReader, chain: ChainContent): Promise<Map<string, IndexedVersion>> {
  const arranged = tryToArrange(chain)
  const rootId = arranged && (await onlyRoot(reader, chain, arranged))
  if (!arranged || rootId === undefined) {
    return new Map([...chain.minions.keys()].map((id) => [id, { id, ...IRREGULAR }]))
  }
  if (chain.minions.size === 1) return new Map()
  return regularEntries(rootId, chain, arranged)
}

function tryToArrange(chain: ChainContent): ArrangedChain | undefined {
  try {
    return arrangeChain(chain)
  } catch (error) {
    if (isMinionsError(error, 'CYCLE')) return undefined
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
): Map<string, IndexedVersion> {
  const byTime = follows.toSorted((a, b) => compareTimes(a.createdAt, b.createdAt))
  /** The parent of each version; of several, the one linked first. */
  const parents = new Map(byTime.reverse().map(({ sourceId, targetId }) => [sourceId, targetId]))
  const steps = new Map<string, number>()
  const entries = new Map<string, IndexedVersion>()
  for (const minion of all) {
    const { id } = minion
    const step = isNumbered(minion) ? numberOf(minion) : 1 + (steps.get(parents.get(id) ?? '') ?? 0)
    steps.set(id, step)
    if (!isTemplate(minion)) entries.set(id, entryOf(minion, { promptId, step, followed: followed.has(id) }))
  }
  return entries
}
