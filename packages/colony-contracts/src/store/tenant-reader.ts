import { isId, MinionsError, type Page, quote } from '@minions/core'
import { guardMethods } from '@minions/core/plugin'
import { contractsError } from '../errors.js'
import { byCreation } from '../mission/time.js'
import type { Artifact, ArtifactName, StoredArtifact } from '../schemas/artifact.js'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { WritebackApplication } from '../writeback/writeback-application.js'
import { keyOf, type StoredKind } from './artifact-collection.js'
import { applicationsCollection, missionsCollection, taskGraphsCollection, tasksCollection } from './collections.js'
import { type ApplicationFilter, type ArtifactFilter, type MissionFilter, toQuery } from './filters.js'
import { EVERYTHING, type StoreParts } from './mission-state.js'
import type { TaskGraphRecord, TaskRecord } from './records.js'

/** Reads the data of one tenant; all else is invisible, even by its id. Artifacts are upcast to the newest version. */
export class TenantReader {
  readonly tenantId: string
  readonly #parts: StoreParts

  constructor(parts: StoreParts, tenantId: string) {
    if (!isId(tenantId))
      throw new MinionsError('VALIDATION_FAILED', 'Artifacts are read within one tenant; `forTenant` needs its id.')
    this.tenantId = tenantId
    this.#parts = parts
  }

  /**
   * An artifact by its mission, its kind and its own id, or `undefined`. The envelope needs no id; for the task graph
   * it is the revision, default the latest.
   */
  async get<Name extends ArtifactName | (string & {})>(
    missionId: string,
    schemaName: Name,
    id?: string | number,
  ): Promise<StoredArtifact<Name> | undefined> {
    if (!isId(missionId)) return undefined
    if (schemaName === 'mission_task_graph') {
      const graph = await this.#graph(missionId, id)
      return graph && this.#read<Name>(graph.graph)
    }
    const kind = this.#kind(schemaName)
    const ownId = id ?? (kind.idField === 'mission_id' ? missionId : undefined)
    if (ownId === undefined)
      throw new MinionsError('VALIDATION_FAILED', `To get a ${schemaName}, also give its ${kind.idField}.`)
    if (!isId(ownId)) return undefined
    const record = await this.#parts.storage.get(kind.collection, keyOf(kind, missionId, ownId))
    return record?.tenant_id === this.tenantId && record[kind.idField] === ownId ? this.#read<Name>(record) : undefined
  }

  /** A page of the artifacts of one kind; for task graphs, every revision. */
  async list<Name extends ArtifactName | (string & {})>(
    schemaName: Name,
    filter: ArtifactFilter = {},
  ): Promise<Page<StoredArtifact<Name>>> {
    const query = toQuery(this.tenantId, 'artifacts', filter)
    const { items, nextCursor } =
      schemaName === 'mission_task_graph'
        ? await this.#parts.storage.find(taskGraphsCollection, query)
        : await this.#parts.storage.find(this.#kind(schemaName).collection, query)
    const artifacts = items.map((item) => this.#read<Name>(schemaName === 'mission_task_graph' ? item.graph : item))
    return { items: artifacts, nextCursor }
  }

  /** The artifacts of all kinds, kind by kind and at most `limit` of each; those of a whole mission by time. */
  async all(filter: Omit<ArtifactFilter, 'cursor'> = {}): Promise<StoredArtifact[]> {
    const { missionId, ...rest } = filter
    if (missionId !== undefined && Object.values(rest).every((value) => value === undefined)) {
      return this.mission(missionId)
    }
    const artifacts: StoredArtifact[] = []
    for (const name of this.#parts.registry.names()) {
      if (!this.#parts.kinds.has(name) && name !== 'mission_task_graph') continue
      artifacts.push(...(await this.list<string>(name, filter)).items)
    }
    return artifacts
  }

  /**
   * Everything of a mission by time, with ties in the order of their contracts; custom kinds are included. Empty when
   * the tenant has no such mission. The number of queries does not depend on the number of artifacts.
   */
  async mission(missionId: string): Promise<StoredArtifact<ArtifactName>[]> {
    const envelope = await this.get(missionId, 'mission_envelope')
    if (!envelope) return []
    const query = { where: { mission_id: missionId, tenant_id: this.tenantId }, limit: EVERYTHING }
    const lists: StoredArtifact[][] = []
    // Later artifacts of a mission are read first: everything they refer to then exists.
    for (const [name, { collection }] of [...this.#parts.kinds].reverse()) {
      const artifacts: StoredArtifact[] = []
      if (name === 'mission_envelope') continue
      for await (const { record } of this.#parts.storage.iterate(collection, query)) artifacts.push(this.#read(record))
      lists.unshift(artifacts)
    }
    const graphs: StoredArtifact[] = []
    for await (const { record } of this.#parts.storage.iterate(taskGraphsCollection, query))
      graphs.push(this.#read(record.graph))
    return byCreation<StoredArtifact>([envelope, ...graphs, ...lists.flat()]) as StoredArtifact<ArtifactName>[]
  }

  /** A page of the tenant's missions, as their envelopes. */
  async missions(filter: MissionFilter = {}): Promise<Page<MissionEnvelope>> {
    const query = toQuery(this.tenantId, 'missions', filter)
    const { items, nextCursor } = await this.#parts.storage.find(missionsCollection, query)
    return { items: items.map((item) => this.#read<'mission_envelope'>(item)), nextCursor }
  }

  /** A task of a mission, including one that the latest graph no longer has. */
  async task(missionId: string, taskId: string): Promise<TaskRecord | undefined> {
    if (!isId(missionId) || !isId(taskId)) return undefined
    const task = await this.#parts.storage.get(tasksCollection, [missionId, taskId])
    return task?.tenant_id === this.tenantId ? task : undefined
  }

  /** The status of a proposal, or `undefined` when it was neither decided on nor applied. */
  async application(missionId: string, proposalId: string): Promise<WritebackApplication | undefined> {
    if (!isId(missionId) || !isId(proposalId)) return undefined
    const application = await this.#parts.storage.get(applicationsCollection, [missionId, proposalId])
    return application?.tenant_id === this.tenantId ? application : undefined
  }

  /** A page of writeback applications, such as those that a crash left `applying`. */
  applications(filter: ApplicationFilter = {}): Promise<Page<WritebackApplication>> {
    return this.#parts.storage.find(applicationsCollection, toQuery(this.tenantId, 'applications', filter))
  }

  /** A graph's own id is that of its mission, which refers to the latest revision. */
  async #graph(missionId: string, revision: string | number = missionId): Promise<TaskGraphRecord | undefined> {
    const isLatest = revision === missionId
    if (!isLatest && typeof revision !== 'number') return undefined
    const where = { mission_id: missionId, tenant_id: this.tenantId, ...(!isLatest && { revision }) }
    const query = { where, orderBy: [{ field: 'revision', direction: 'desc' as const }], limit: 1 }
    return (await this.#parts.storage.find(taskGraphsCollection, query)).items[0]
  }

  #kind(name: string): StoredKind {
    const kind = this.#parts.kinds.get(name)
    if (kind) return kind
    const known = [...this.#parts.kinds.keys()]
    const message = `The store has no ${quote(name)}; it has ${known.join(', ')} and mission_task_graph.`
    throw contractsError('KIND_NOT_STORED', message, { details: { schema_name: quote(name), known } })
  }

  #read<Name extends string>(record: unknown): StoredArtifact<Name> {
    return this.#parts.registry.upcast(record as Artifact<string>) as StoredArtifact<Name>
  }
}

guardMethods(TenantReader)
