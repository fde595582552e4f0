import { everyPage, type Relation } from '@minions/core'
import type { StoreTransaction } from '@minions/core/storage'
import { storeReader } from '../chain/chain-reader.js'
import { promptsError } from '../errors.js'
import { type IndexedName, promptNamesCollection } from '../lookup/collections.js'
import { replaceEntries } from '../lookup/replace-entries.js'
import { namingIn, namingsOf } from './namings.js'

type OnClash = 'refuse' | 'leave'

/** Handles a new or removed name, if a relation describes one. */
export async function noteNaming(tx: StoreTransaction, relation: Relation, clash: OnClash): Promise<void> {
  const naming = namingIn(relation)
  if (naming) await indexNames(tx, [naming.promptId], clash)
}

/**
 * Reads the names of prompts and rewrites their entries. A name that another prompt has is refused with `NAME_TAKEN`,
 * or left to that prompt.
 */
export async function indexNames(tx: StoreTransaction, promptIds: readonly string[], clash: OnClash): Promise<void> {
  const namings = await namingsOf(storeReader(tx), promptIds)
  for (const promptId of promptIds) {
    const own = namings.get(promptId) ?? []
    const current = own.at(-1)?.name
    const entries = new Map(
      own.map(({ name, since }): [string, IndexedName] => [
        name,
        { name, promptId, since, ...isCurrent(name, current) },
      ]),
    )
    const holder = current === undefined ? undefined : await holderOf(tx, current)
    if (current !== undefined && holder !== undefined && holder !== promptId) {
      if (clash === 'refuse') throw nameTaken(current, holder)
      const { current: _, ...claim } = entries.get(current) as IndexedName
      entries.set(current, claim)
    }
    const stored = await everyPage((next) => tx.find(promptNamesCollection, { where: { promptId }, ...next }))
    await replaceEntries(tx, promptNamesCollection, stored, [...entries.values()])
  }
}

const isCurrent = (name: string, current: string | undefined) => (name === current ? { current } : {})

/** The prompt that currently has a name. */
async function holderOf(tx: StoreTransaction, current: string): Promise<string | undefined> {
  return (await tx.find(promptNamesCollection, { where: { current }, limit: 1 })).items[0]?.promptId
}

export function nameTaken(name: string, promptId: string): Error {
  return promptsError(
    'NAME_TAKEN',
    `The prompt "${promptId}" already has the name "${name}"; choose another, or rename that prompt.`,
    { details: { name, promptId } },
  )
}
