import { jsonEqual, setOwn } from '@minions/core/json'
import { defineCollection, type StoreAccess } from '@minions/core/storage'
import { workspaceError } from '../errors.js'
import { type WorkspaceRecord, WorkspaceRecordSchema } from '../graph/records.js'
import type { FileContent } from './json-file.js'
import type { RecordStore } from './record-store.js'

/** Workspaces as records of a store, exactly as in `workspaces.json`. */
export const workspacesCollection = defineCollection({
  name: 'workspaces',
  version: 1,
  schema: WorkspaceRecordSchema,
  key: 'id',
  columns: {
    name: { type: 'string', required: true },
    parent_workspace: { type: 'string', indexed: true },
    created_at: { type: 'string', required: true },
  },
  createdAt: 'created_at',
})

/** Workspaces in a store, or in a transaction of one. Revisions of the records detect concurrent writes. */
export class StoredRecords implements RecordStore {
  readonly name = 'the store'
  readonly #store: StoreAccess
  readonly #revisions = new WeakMap<FileContent, ReadonlyMap<string, string>>()

  constructor(store: StoreAccess) {
    this.#store = store
  }

  async read(): Promise<FileContent> {
    const records: Record<string, unknown> = {}
    const revisions = new Map<string, string>()
    for await (const { record, revision } of this.#store.iterate(workspacesCollection)) {
      setOwn(records, record.id, record)
      revisions.set(record.id, revision)
    }
    const content: FileContent = { status: 'read', records }
    this.#revisions.set(content, revisions)
    return content
  }

  async write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void> {
    const revisions = this.#revisions.get(before) ?? new Map<string, string>()
    await this.#store.transaction(async (tx) => {
      for (const [id, revision] of revisions) {
        if (!Object.hasOwn(records, id)) await tx.delete(workspacesCollection, id, { ifRevision: revision })
      }
      for (const id of Object.keys(records)) {
        if (jsonEqual(records[id], before.records[id])) continue
        const ifRevision = revisions.get(id)
        const expect = ifRevision === undefined ? { ifAbsent: true as const } : { ifRevision }
        await tx.put(workspacesCollection, records[id] as WorkspaceRecord, expect)
      }
    })
  }

  locked<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  keep(): Promise<string> {
    throw workspaceError('STORAGE_UNAVAILABLE', 'A store keeps damaged records where they are.')
  }
}
