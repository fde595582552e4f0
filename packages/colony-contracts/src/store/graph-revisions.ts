import type { StoreReader } from '@minions/core/storage'
import { taskGraphsCollection } from './collections.js'

/** The graph revisions of a mission, by the hash of their content. */
export class GraphRevisions {
  readonly #revisions: Map<string, number>
  #last: number

  /** Starts empty, or as a copy of another. */
  constructor(base?: GraphRevisions) {
    this.#revisions = new Map(base ? base.#revisions : [])
    this.#last = base ? base.#last : 0
  }

  /** The latest revision; 0 when there is no graph. */
  get last(): number {
    return this.#last
  }

  find(hash: string): number | undefined {
    return this.#revisions.get(hash)
  }

  add(hash: string, revision: number): void {
    this.#revisions.set(hash, revision)
    this.#last = Math.max(this.#last, revision)
  }

  async loadAll(reader: StoreReader, missionId: string): Promise<void> {
    const query = { where: { mission_id: missionId } }
    for await (const { record } of reader.iterate(taskGraphsCollection, query)) {
      this.add(record.content_hash, record.revision)
    }
  }

  /** Reads which of these contents are stored, and the latest revision. */
  async load(reader: StoreReader, missionId: string, hashes: readonly string[]): Promise<void> {
    const known = { mission_id: missionId, content_hash: { in: hashes } }
    const { items } = await reader.find(taskGraphsCollection, { where: known, limit: hashes.length })
    for (const { content_hash, revision } of items) this.#revisions.set(content_hash, revision)
    const orderBy = [{ field: 'revision', direction: 'desc' as const }]
    const latest = await reader.find(taskGraphsCollection, { where: { mission_id: missionId }, orderBy, limit: 1 })
    this.#last = latest.items[0]?.revision ?? 0
  }
}
