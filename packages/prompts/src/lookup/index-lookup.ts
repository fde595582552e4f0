import { everyPage, isDeleted, type MinionsAccess, type Where } from '@minions/core'
import { compareCodePoints } from '@minions/core/json'
import { type Collection, relationsCollection, type StoreAccess } from '@minions/core/storage'
import type { ChainContent } from '../chain/arrange-chain.js'
import { clientReader } from '../chain/chain-reader.js'
import {
  isPrompt,
  isTemplate,
  loadPrompts,
  type PromptMinion,
  type PromptVersionMinion,
} from '../chain/prompt-minion.js'
import { readChain } from '../chain/read-chain.js'
import { PRODUCTION } from '../labels/label-name.js'
import type { LabelState } from '../labels/label-state.js'
import { protectedLabelsCollection } from '../labels/protected-labels.js'
import { holderAmong } from '../names/namings.js'
import { originalFields, type PublishedFields } from '../versions/publications.js'
import {
  type Inclusion,
  type IndexedLabel,
  type Part,
  type PartKind,
  promptInclusionsCollection,
  promptLabelsCollection,
  promptNamesCollection,
  promptPartsCollection,
  promptVersionsCollection,
} from './collections.js'
import type { NameHolder, PromptLookup } from './prompt-lookup.js'
import { RelationLookup } from './relation-lookup.js'
import { reindex, repairIndex } from './repair-index.js'

const MANY = 100_000

/**
 * Reads the index maintained by the hooks of the plugin. The number of queries does not depend on the number of
 * versions. Chains that the index cannot represent, because they have several roots or a cycle, are read by their
 * relations.
 */
export class IndexLookup implements PromptLookup {
  readonly #client: MinionsAccess
  readonly #relations: RelationLookup

  constructor(client: MinionsAccess) {
    this.#client = client
    this.#relations = new RelationLookup(client)
  }

  on(client: MinionsAccess): IndexLookup {
    return new IndexLookup(client)
  }

  async named(name: string): Promise<NameHolder | undefined> {
    const { items } = await this.#store.find(promptNamesCollection, { where: { name }, limit: MANY })
    return holderAmong(items.map(({ current, ...claim }) => ({ ...claim, former: current === undefined })))
  }

  async names(promptIds: readonly string[]): Promise<Map<string, string>> {
    if (promptIds.length === 0) return new Map()
    const where = { promptId: { in: promptIds }, current: { isNull: false } }
    const found = await this.#all(promptNamesCollection, where)
    return new Map(found.map(({ promptId, name }) => [promptId, name]))
  }

  async rootId(minion: PromptMinion): Promise<string> {
    if (isTemplate(minion)) return minion.id
    return (await this.#regularRoot(minion)) ?? this.#relations.rootId(minion)
  }

  async numberOf(minion: PromptMinion): Promise<number> {
    if (isTemplate(minion)) return 0
    if (minion.fields.versionNumber !== undefined) return minion.fields.versionNumber
    const entry = await this.#store.get(promptVersionsCollection, minion.id)
    if (!entry) return 1
    return entry.promptId === null ? this.#relations.numberOf(minion) : entry.step
  }

  async chain(minion: PromptMinion): Promise<ChainContent> {
    const promptId = await this.#regularRoot(minion)
    if (promptId === undefined) return this.#relations.chain(minion)
    const entries = await this.#all(promptVersionsCollection, { promptId })
    const ids = [promptId, ...entries.map(({ id }) => id)].filter((id) => id !== minion.id)
    return readChain(clientReader(this.#client), minion, await loadPrompts(this.#client, ids))
  }

  async latest(minion: PromptMinion): Promise<PromptMinion | undefined> {
    const promptId = await this.#regularRoot(minion)
    if (promptId === undefined) return this.#relations.latest(minion)
    const { items } = await this.#store.find(promptVersionsCollection, {
      where: { promptId, live: true, followed: false },
      orderBy: [
        { field: 'time', direction: 'desc' },
        { field: 'number', direction: 'desc' },
      ],
      limit: 1,
    })
    const id = items[0]?.id ?? promptId
    const latest = id === minion.id ? minion : await this.#client.get(id)
    return latest && isPrompt(latest) && !isDeleted(latest) ? latest : undefined
  }

  async numbered(root: PromptMinion, versionNumber: number): Promise<PromptVersionMinion[]> {
    const promptId = await this.#regularRoot(root)
    if (promptId === undefined) return this.#relations.numbered(root, versionNumber)
    const { items } = await this.#store.find(promptVersionsCollection, {
      where: { promptId, versionNumber, live: true },
      limit: MANY,
    })
    const ids = items.map(({ id }) => id).filter((id) => id !== root.id)
    // An isolated version has no entry.
    const found = [root, ...(await loadPrompts(this.#client, ids))]
    return found.filter(
      (minion): minion is PromptVersionMinion =>
        !isTemplate(minion) && !isDeleted(minion) && minion.fields.versionNumber === versionNumber,
    )
  }

  async member(root: PromptMinion, id: string): Promise<PromptMinion | undefined> {
    const promptId = await this.#regularRoot(root)
    if (promptId === undefined) return this.#relations.member(root, id)
    const minion = id === root.id ? root : await this.#client.get(id)
    if (!minion || !isPrompt(minion) || isDeleted(minion)) return undefined
    return id === promptId || (await this.#regularRoot(minion)) === promptId ? minion : undefined
  }

  async parts(kind: PartKind, ownerIds: readonly string[]): Promise<Part[]> {
    const [only] = ownerIds
    const ownerId = ownerIds.length === 1 && only !== undefined ? only : { in: ownerIds }
    return this.#all(promptPartsCollection, { ownerId, kind })
  }

  async label(label: string, promptIds: readonly string[]): Promise<Map<string, LabelState>> {
    const found = await this.#labels(label, promptIds)
    return new Map(found.map((entry) => [entry.promptId, withoutFirst(entry)]))
  }

  async labels(promptId: string): Promise<LabelState[]> {
    const found = await this.#all(promptLabelsCollection, { promptId })
    return found.map(withoutFirst).sort((a, b) => compareCodePoints(a.label, b.label))
  }

  async isProtected(label: string): Promise<boolean> {
    return (await this.#store.get(protectedLabelsCollection, label)) !== undefined
  }

  async originals(promptIds: readonly string[]): Promise<Map<string, PublishedFields>> {
    const firstIds = (await this.#labels(PRODUCTION, promptIds)).flatMap(({ firstId }) => firstId ?? [])
    const relations = firstIds.length === 0 ? [] : await this.#store.getMany(relationsCollection, firstIds)
    return new Map(
      relations.flatMap((revised) => {
        const original = revised && originalFields([revised.record])
        return original ? [[revised.record.sourceId, original]] : []
      }),
    )
  }

  async including(names: readonly string[]): Promise<Inclusion[]> {
    return this.#all(promptInclusionsCollection, { name: { in: names } })
  }

  async allNames(promptId: string): Promise<string[]> {
    return (await this.#all(promptNamesCollection, { promptId })).map(({ name }) => name)
  }

  async refresh(ids?: readonly string[]): Promise<void> {
    if (ids === undefined) await repairIndex(this.#store)
    else await this.#store.transaction((tx) => reindex(tx, ids))
  }

  /** Read on demand: the store of a client is that of its transaction. */
  get #store(): StoreAccess {
    return this.#client.storage
  }

  #all<T>(collection: Collection<T>, where: Where): Promise<T[]> {
    return everyPage((next) => this.#store.find(collection, { where, limit: MANY, ...next }))
  }

  async #labels(label: string, promptIds: readonly string[]): Promise<IndexedLabel[]> {
    const keys = promptIds.map((promptId) => [promptId, label])
    const found = await this.#store.getMany(promptLabelsCollection, keys)
    return found.flatMap((revised) => revised?.record ?? [])
  }

  /** The root of a chain; undefined if only its relations can tell. */
  async #regularRoot({ id }: PromptMinion): Promise<string | undefined> {
    const entry = await this.#store.get(promptVersionsCollection, id)
    return entry ? (entry.promptId ?? undefined) : id
  }
}

function withoutFirst({ firstId: _, ...state }: IndexedLabel): LabelState {
  return state
}
