import { everyPage, type MinionsAccess } from '@minions/core'
import { relationsCollection } from '@minions/core/storage'
import { arrangeChain, type ChainContent } from '../chain/arrange-chain.js'
import { type ChainReader, clientReader } from '../chain/chain-reader.js'
import { compareAge } from '../chain/compare-age.js'
import { findRootId, versionNumberOf } from '../chain/find-root.js'
import { isTemplate, loadMinions, type PromptMinion, type PromptVersionMinion } from '../chain/prompt-minion.js'
import { readChain } from '../chain/read-chain.js'
import { inclusionsIn } from '../fragments/inclusions.js'
import { currentOf, movesOf } from '../labels/label-moves.js'
import type { LabelState } from '../labels/label-state.js'
import { holderAmong, namingIn, namingsOf } from '../names/namings.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptTestType } from '../types/prompt-test.js'
import { promptVariableType } from '../types/prompt-variable.js'
import { promptVersionType } from '../types/prompt-version.js'
import { originalFields, type PublishedFields, publicationsOf } from '../versions/publications.js'
import type { Inclusion, Part, PartKind } from './collections.js'
import type { NameHolder, PromptLookup } from './prompt-lookup.js'

const PART_TYPES = { variable: promptVariableType, test: promptTestType }

/** Follows relations. Takes longer the more versions a prompt has, and is correct whichever program wrote them. */
export class RelationLookup implements PromptLookup {
  readonly #client: MinionsAccess
  readonly #reader: ChainReader

  constructor(client: MinionsAccess) {
    this.#client = client
    this.#reader = clientReader(client)
  }

  on(client: MinionsAccess): RelationLookup {
    return new RelationLookup(client)
  }

  async named(name: string): Promise<NameHolder | undefined> {
    const where = { type: 'references', 'metadata.name': name }
    const { items } = await this.#client.storage.find(relationsCollection, { where, limit: 100_000 })
    const prompts = [...new Set(items.flatMap((relation) => namingIn(relation)?.promptId ?? []))]
    const namings = [...(await namingsOf(this.#reader, prompts)).values()]
    const claims = namings.flatMap((own) => {
      const last = own.findLast((naming) => naming.name === name)
      return last ? [{ ...last, former: last !== own.at(-1) }] : []
    })
    return holderAmong(claims)
  }

  async names(promptIds: readonly string[]): Promise<Map<string, string>> {
    const namings = [...(await namingsOf(this.#reader, promptIds)).values()]
    return new Map(namings.flatMap((own) => own.slice(-1).map(({ promptId, name }) => [promptId, name])))
  }

  rootId(minion: PromptMinion): Promise<string> {
    return findRootId(this.#reader, minion)
  }

  numberOf(minion: PromptMinion): Promise<number> {
    return versionNumberOf(this.#reader, minion)
  }

  chain(minion: PromptMinion): Promise<ChainContent> {
    return readChain(this.#reader, minion)
  }

  async latest(minion: PromptMinion): Promise<PromptMinion | undefined> {
    const { leaves } = arrangeChain(await this.chain(minion))
    return leaves.toSorted(compareAge).at(-1)
  }

  async numbered(root: PromptMinion, versionNumber: number): Promise<PromptVersionMinion[]> {
    const { live } = arrangeChain(await this.chain(root))
    return live.filter(
      (minion): minion is PromptVersionMinion => !isTemplate(minion) && minion.fields.versionNumber === versionNumber,
    )
  }

  async member(root: PromptMinion, id: string): Promise<PromptMinion | undefined> {
    return arrangeChain(await this.chain(root)).live.find((minion) => minion.id === id)
  }

  async parts(kind: PartKind, ownerIds: readonly string[]): Promise<Part[]> {
    const partOf = await this.#reader.relations('targetIds', ownerIds, ['part_of'])
    const ids = partOf.map(({ sourceId }) => sourceId)
    const found = new Set((await loadMinions(this.#client, ids, [PART_TYPES[kind]])).map(({ id }) => id))
    return partOf
      .filter(({ sourceId }) => found.has(sourceId))
      .map(({ sourceId: id, targetId: ownerId }) => ({ id, ownerId }))
  }

  async label(label: string, promptIds: readonly string[]): Promise<Map<string, LabelState>> {
    const found = new Map<string, LabelState>()
    for (const [promptId, moves] of await movesOf(this.#reader, promptIds)) {
      const last = moves.findLast((move) => move.label === label)
      if (last) found.set(promptId, last)
    }
    return found
  }

  async labels(promptId: string): Promise<LabelState[]> {
    return currentOf((await movesOf(this.#reader, [promptId])).get(promptId) ?? [])
  }

  /** Protection is stored by the plugin; without it, there is none. */
  async isProtected(): Promise<boolean> {
    return false
  }

  async originals(promptIds: readonly string[]): Promise<Map<string, PublishedFields>> {
    const originals = new Map<string, PublishedFields>()
    for (const [promptId, publications] of await publicationsOf(this.#reader, promptIds)) {
      const original = originalFields(publications)
      if (original) originals.set(promptId, original)
    }
    return originals
  }

  async including(names: readonly string[]): Promise<Inclusion[]> {
    const where = { minionTypeId: { in: [promptTemplateType.id, promptVersionType.id] } }
    const all = await everyPage((next) => this.#client.find({ where, limit: 1000, ...next }))
    return all.flatMap((minion) => inclusionsIn(minion)).filter(({ name }) => names.includes(name))
  }

  async allNames(promptId: string): Promise<string[]> {
    const namings = (await namingsOf(this.#reader, [promptId])).get(promptId) ?? []
    return [...new Set(namings.map(({ name }) => name))]
  }

  async refresh(): Promise<void> {
    // Relations are read each time.
  }
}
