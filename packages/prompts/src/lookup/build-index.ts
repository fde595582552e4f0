import type { Relation } from '@minions/core'
import {
  type Collection,
  minionsCollection,
  relationsCollection,
  type StoreAccess,
  type StoreTransaction,
} from '@minions/core/storage'
import { storeReader } from '../chain/chain-reader.js'
import { noteInclusions } from '../fragments/inclusions.js'
import { indexNames } from '../names/name-index.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'
import { type IndexState, promptIndexCollection } from './collections.js'
import { indexLabels } from './follow-labels.js'
import { indexParts } from './follow-parts.js'
import { entriesAt, indexChain } from './index-chain.js'

const STATE = 'prompts'
/** Increased when the index gains new information. */
const LAYOUT = 3
/** Number of records per transaction. */
const BATCH = 500
/** Number of chain members after which a transaction ends, however few prompts they belong to. */
const ENOUGH = 2000

/**
 * Builds the index of a store that was written without it. Each step is a transaction that also records its progress,
 * so it can be resumed after a crash and run by several processes at once.
 */
export async function buildIndex(store: StoreAccess): Promise<void> {
  if (isDone(await store.get(promptIndexCollection, STATE))) return
  while (await store.transaction(buildStep, { timeout: null })) {
    // Until a step reports that it was the last.
  }
}

async function buildStep(tx: StoreTransaction): Promise<boolean> {
  const stored = await tx.get(promptIndexCollection, STATE)
  if (isDone(stored)) return false
  const phase = stored?.layout === LAYOUT && stored.phase !== 'done' ? stored.phase : 'prompts'
  const doneThrough = await STEPS[phase](tx, stored?.layout === LAYOUT ? stored.doneThrough : undefined)
  const next: IndexState =
    doneThrough === undefined
      ? { id: STATE, layout: LAYOUT, phase: NEXT[phase] }
      : { id: STATE, layout: LAYOUT, phase, doneThrough }
  await tx.put(promptIndexCollection, next)
  return next.phase !== 'done'
}

function isDone(state: IndexState | undefined): boolean {
  return state?.phase === 'done' && state.layout === LAYOUT
}

type Phase = Exclude<IndexState['phase'], 'done'>

const NEXT: Readonly<Record<Phase, IndexState['phase']>> = { prompts: 'versions', versions: 'parts', parts: 'done' }

/**
 * Each processes the next records after an id and resolves to the id of the last one, or undefined when there are none.
 */
const STEPS: Readonly<Record<Phase, (tx: StoreTransaction, after?: string) => Promise<string | undefined>>> = {
  async prompts(tx, after) {
    const prompts = await nextOf(tx, minionsCollection, { minionTypeId: promptTemplateType.id }, after)
    const ids = prompts.map(({ id }) => id)
    const linked = await linkedAmong(tx, ids)
    const done: string[] = []
    for (let members = 0; done.length < ids.length && members < ENOUGH; ) {
      const id = ids[done.length] as string
      // Without versions there is nothing to index.
      if (linked.has(id)) members += (await indexChain(tx, id)).length
      done.push(id)
    }
    await indexLabels(tx, done)
    await indexNames(tx, done, 'leave')
    await noteInclusions(tx, prompts.slice(0, done.length))
    return done.at(-1)
  },

  /** Versions that belong to no prompt: the others already have entries, and a single one needs none. */
  async versions(tx, after) {
    const versions = await nextOf(tx, minionsCollection, { minionTypeId: promptVersionType.id }, after)
    const ids = versions.map(({ id }) => id)
    const indexed = new Set((await entriesAt(tx, ids)).map(({ id }) => id))
    await noteInclusions(tx, versions)
    for (const id of ids) {
      if (indexed.has(id)) continue
      for (const member of await indexChain(tx, id)) indexed.add(member)
    }
    return versions.at(-1)?.id
  },

  async parts(tx, after) {
    const relations: Relation[] = await nextOf(tx, relationsCollection, { type: 'part_of' }, after)
    await indexParts(tx, relations)
    return relations.at(-1)?.id
  },
}

/** The prompts that follow something or are followed. */
async function linkedAmong(tx: StoreTransaction, ids: readonly string[]): Promise<Set<string>> {
  const reader = storeReader(tx)
  const follows = [
    ...(await reader.relations('targetIds', ids, ['follows'])),
    ...(await reader.relations('sourceIds', ids, ['follows'])),
  ]
  return new Set(follows.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))
}

async function nextOf<T>(
  tx: StoreTransaction,
  collection: Collection<T>,
  where: Readonly<Record<string, string>>,
  after: string | undefined,
): Promise<T[]> {
  const range = after === undefined ? where : { ...where, id: { gt: after } }
  return (await tx.find(collection, { where: range, orderBy: [{ field: 'id' }], limit: BATCH })).items
}
