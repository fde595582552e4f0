import { getOrInsert } from '@minions/core/json'
import { guardMethods, requireFunction, takeOptions } from '@minions/core/plugin'
import {
  type Collection,
  isStore,
  type Revised,
  type StorageBackend,
  Store,
  type StoreAccess,
  type StoreTransaction,
} from '@minions/core/storage'
import type { ArtifactKind } from '../registry/artifact-kind.js'
import { ArtifactRegistry } from '../registry/artifact-registry.js'
import type { Artifact, StoredArtifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import { kindCollections } from './artifact-collection.js'
import { colonyCollections, storedKinds } from './collections.js'
import { type Incoming, readIncoming } from './incoming.js'
import { MissionLedger } from './mission-ledger.js'
import { MissionState, type StoredKinds } from './mission-state.js'
import { newState, putMission } from './put-mission.js'
import { PutPlan, plannedArtifacts } from './put-plan.js'
import type { PutResult } from './put-result.js'
import type { TaskRecord } from './records.js'
import { TenantReader } from './tenant-reader.js'

export interface ColonyStoreOptions {
  /** Registry of contracts and upcasters. Default: a new one. */
  readonly registry?: ArtifactRegistry
  /** Custom kinds and versions; they are registered, and each new name is stored in its own collection. */
  readonly kinds?: readonly ArtifactKind[]
}

export interface PutManyOptions {
  /** The tenant that stores them, which learns nothing about missions of others; any by default. */
  readonly tenantId?: string | undefined
}

export interface NewMission {
  readonly ledger: MissionLedger
  readonly plan: PutPlan
}

/** The artifacts of all missions: written by `put`, read within one tenant, never changed. */
export class ColonyStore {
  /** The underlying storage: a store, or the current transaction. */
  readonly storage: StoreAccess
  readonly registry: ArtifactRegistry
  #kinds: StoredKinds

  /** Works on storage that was opened with `ColonyStore.collections(options.kinds)`, or takes part in a transaction. */
  constructor(storage: StoreAccess, options: ColonyStoreOptions = {}) {
    const { registry = new ArtifactRegistry(), kinds = [] } = takeOptions('The options of a colony store', options)
    this.storage = storage
    this.registry = registry
    this.#kinds = new Map([...storedKinds, ...kindCollections(kinds)])
    for (const kind of kinds) registry.register(kind)
  }

  /** Opens a backend for missions only; `close` closes it. */
  static async open(backend: StorageBackend, options: ColonyStoreOptions = {}): Promise<ColonyStore> {
    return new ColonyStore(await Store.open(backend, ColonyStore.collections(options.kinds)), options)
  }

  /** The collections a store needs: the twelve of `colonyCollections`, and one for each custom kind. */
  static collections(kinds: readonly ArtifactKind[] = []): readonly Collection[] {
    return [...colonyCollections, ...[...kindCollections(kinds).values()].map(({ collection }) => collection)]
  }

  /** The same store as part of a transaction. */
  with(tx: StoreTransaction): ColonyStore {
    const store = new ColonyStore(tx, { registry: this.registry })
    store.#kinds = this.#kinds
    return store
  }

  /** Runs `work` with this store in a transaction: the current one, or a new one. `work` may run again. */
  transaction<T>(work: (store: ColonyStore) => Promise<T>): Promise<T> {
    requireFunction('ColonyStore.transaction', work)
    return this.storage.transaction((tx) => work(this.with(tx)))
  }

  /**
   * Stores an artifact: validated against its contract (`INVALID_ARTIFACT`) and its mission (`LINKAGE_VIOLATION`), with
   * tenant and actor filled in from the envelope. Storing identical content again has no effect; different content
   * under the same id is a `CONFLICT`. A task graph with new content is a new revision, stored together with its tasks.
   */
  async put<A extends Artifact | Artifact<string>>(artifact: A): Promise<PutResult<A>> {
    const [result] = await this.#put(readIncoming([artifact], this.#parts))
    return result as PutResult<A>
  }

  /**
   * Stores many artifacts, all or none, in any order: a whole mission costs as many queries as a few artifacts. Results
   * are in the given order; the pointer of a problem begins with the position of its artifact.
   */
  async putMany(
    artifacts: readonly (Artifact | Artifact<string>)[],
    options: PutManyOptions = {},
  ): Promise<PutResult[]> {
    const { tenantId } = takeOptions('The options of putMany', options)
    const incoming = readIncoming(artifacts, this.#parts, (index) => `/${index}`)
    return this.#put(incoming, tenantId)
  }

  /** Read access, always within one tenant: data of other tenants is invisible. */
  forTenant(tenantId: string): TenantReader {
    return new TenantReader(this.#parts, tenantId)
  }

  /** A mission in memory, for a process that works on it; `undefined` if there is none. */
  ledger(missionId: string): Promise<MissionLedger | undefined> {
    return MissionLedger.load(missionId, this.#parts)
  }

  /**
   * A mission to be stored together with other records, without reading: its ledger, and the plan that adds the envelope
   * to a batch, which is refused when the mission is stored already. Throws `INVALID_ARTIFACT`.
   */
  newMission(envelope: MissionEnvelope): NewMission {
    const incoming = readIncoming([envelope], this.#parts)
    const state = newState(incoming)
    const plan = new PutPlan(state, this.#kinds, plannedArtifacts(incoming, state.envelope))
    return { ledger: new MissionLedger(state, this.#parts), plan }
  }

  /** The ledger of a mission of which only the envelope and some tasks are known, or needed. */
  newLedger(
    envelope: StoredArtifact<'mission_envelope'>,
    revision: string,
    tasks: readonly Revised<TaskRecord>[] = [],
  ): MissionLedger {
    const state = new MissionState(envelope, revision)
    for (const task of tasks) state.addTask(task)
    return new MissionLedger(state, this.#parts)
  }

  get #parts() {
    return { storage: this.storage, registry: this.registry, kinds: this.#kinds }
  }

  /** Closes the backend, if this is not part of a transaction. */
  async close(): Promise<void> {
    if (isStore(this.storage)) await this.storage.close()
  }

  async #put(incoming: readonly Incoming[], tenantId?: string): Promise<PutResult[]> {
    const missions = new Map<string, Incoming[]>()
    for (const item of incoming) {
      getOrInsert(missions, item.artifact.mission_id, () => []).push(item)
    }
    return this.storage.transaction(async (tx) => {
      const results = new Map<Incoming, PutResult>()
      for (const mission of missions.values()) {
        const { results: stored } = await putMission(tx, this.#kinds, mission, tenantId)
        for (const [position, item] of mission.entries()) results.set(item, stored[position] as PutResult)
      }
      return incoming.map((item) => results.get(item) as PutResult)
    })
  }
}

guardMethods(ColonyStore, { callsBack: ['transaction'] })
