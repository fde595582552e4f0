import type { Relation } from '@minions/core'
import {
  type Collection,
  minionsCollection,
  relationsCollection,
  type StoreAccess,
  type StoreTransaction,
} from '@minions/core/storage'
import { storeReader } from '../chain/chain-reader.js'
import { isPrompt, isTemplate } from '../chain/prompt-minion.js'
import { noteInclusions } from '../fragments/inclusions.js'
import { indexNames } from '../names/name-index.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'
import {
  promptInclusionsCollection,
  promptLabelsCollection,
  promptNamesCollection,
  promptPartsCollection,
  promptVersionsCollection,
} from './collections.js'
import { indexLabels } from './follow-labels.js'
import { indexParts } from './follow-parts.js'
import { indexChain } from './index-chain.js'
import { replaceEntries } from './replace-entries.js'

const BATCH = 500

/** Updates the index of some prompts and versions with relations that were written without the client. */
export async function reindex(tx: StoreTransaction, ids: readonly string[]): Promise<void> {
  const indexed = new Set<string>()
  for (const id of ids) {
    if (indexed.has(id)) continue
    for (const member of await indexChain(tx, id)) indexed.add(member)
  }
  const prompts = await storeReader(tx).prompts(ids)
  await noteInclusions(tx, prompts)
  await indexParts(tx, await storeReader(tx).relations('targetIds', ids, ['part_of']))
  const templates = prompts.filter(isTemplate).map(({ id }) => id)
  await indexLabels(tx, templates)
  await indexNames(tx, templates, 'leave')
}

/** Compares the whole index with minions and relations and corrects it, one transaction per batch. */
export async function repairIndex(store: StoreAccess): Promise<void> {
  const types = [promptTemplateType.id, promptVersionType.id]
  await inBatches(store, minionsCollection, { minionTypeId: { in: types } }, (tx, prompts) => {
    const ids = prompts.map(({ id }) => id)
    return reindex(tx, ids)
  })
  await inBatches(store, relationsCollection, { type: 'part_of' }, indexParts)
  await inBatches(store, promptLabelsCollection, {}, (tx, entries) => indexLabels(tx, promptsOf(entries)))
  await inBatches(store, promptNamesCollection, {}, (tx, entries) => indexNames(tx, promptsOf(entries), 'leave'))
  await inBatches(store, promptVersionsCollection, {}, (tx, entries) => orphans(tx, entries, ({ id }) => id))
  await inBatches(store, promptInclusionsCollection, {}, (tx, entries) =>
    orphans(tx, entries, ({ ownerId }) => ownerId),
  )
  await inBatches(store, promptPartsCollection, {}, async (tx, entries) => {
    const sources = entries.map(({ id }) => id)
    const partOf: Relation[] = await storeReader(tx).relations('sourceIds', sources, ['part_of'])
    const linked = new Set(partOf.map(({ sourceId, targetId }) => JSON.stringify([targetId, sourceId])))
    return entries.filter(({ ownerId, id }) => !linked.has(JSON.stringify([ownerId, id])))
  })
}

function promptsOf(entries: readonly { readonly promptId: string }[]): string[] {
  return [...new Set(entries.map(({ promptId }) => promptId))]
}

/** The entries whose prompt or version no longer exists. */
async function orphans<T>(tx: StoreTransaction, entries: readonly T[], idOf: (entry: T) => string): Promise<T[]> {
  const found = await tx.getMany(minionsCollection, entries.map(idOf))
  return entries.filter((_, index) => !(found[index] && isPrompt(found[index].record)))
}

/** Visits records by key, and removes those that `work` resolves to. */
async function inBatches<T>(
  store: StoreAccess,
  collection: Collection<T>,
  where: Readonly<Record<string, string | { readonly in: readonly string[] }>>,
  work: (tx: StoreTransaction, records: readonly T[]) => Promise<readonly T[]> | Promise<void>,
): Promise<void> {
  const orderBy = collection.declaration.key.map((field) => ({ field }))
  let cursor: string | undefined
  do {
    cursor = await store.transaction(
      async (tx) => {
        const page = await tx.find(collection, {
          where,
          orderBy,
          limit: BATCH,
          ...(cursor !== undefined && { cursor }),
        })
        await replaceEntries(tx, collection, (await work(tx, page.items)) ?? [], [])
        return page.nextCursor
      },
      { timeout: null },
    )
  } while (cursor !== undefined)
}
