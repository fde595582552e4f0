import { getOrInsert } from '@minions/core/json'
import { MemoryEngine, type Row } from '@minions/core/memory'
import { type Collection, type RecordWrite, removedColumns } from '@minions/core/storage'
import type { Codec } from '../codec/codec.js'
import { adopt, fitsNow } from '../files/adopt.js'
import { EXTENSION, type Folder } from '../files/folder.js'
import { collectionFolder } from '../files/names.js'
import { interpret } from '../files/read-record.js'
import { SetAside } from '../files/set-aside.js'
import type { Change } from '../journal/record.js'
import { type Catalogue, catalogueStamp } from './catalogue.js'
import type { FileIndex } from './file-index.js'

/** A collection of an open store. */
export interface StoredCollection {
  /** As in the catalogue, without a schema: for records that were validated when written. */
  readonly stored: Collection
  /** Validates a record written by hand and returns what would be stored. Throws if it violates a constraint. */
  check(record: unknown): RecordWrite
  /** A record edited by hand, with derived properties updated. */
  derive(record: RecordWrite['record']): RecordWrite['record']
}

/** The state of an open store: its rows, their files, and the files that are not used. */
export class State {
  readonly folder: Folder
  readonly codec: Codec
  readonly index: FileIndex
  readonly engine = new MemoryEngine()
  readonly setAside = new SetAside()
  readonly collections = new Map<string, StoredCollection>()
  readonly #byFolder = new Map<string, string>()
  /** Incremented with every change, so that earlier findings can be reused. */
  #version = 0
  #retriedVersion = 0
  #retries: readonly string[] = []
  catalogue: Catalogue
  #catalogueStamp: string

  constructor(options: { folder: Folder; codec: Codec; index: FileIndex; catalogue: Catalogue }) {
    this.folder = options.folder
    this.codec = options.codec
    this.index = options.index
    this.catalogue = options.catalogue
    this.#catalogueStamp = catalogueStamp(this.folder)
  }

  /** True if the catalogue on disk was replaced by a checkout: then everything has to be reloaded. */
  get isOfAnotherCatalogue(): boolean {
    return catalogueStamp(this.folder) !== this.#catalogueStamp
  }

  /** Continues with a catalogue that has just been written. */
  become(catalogue: Catalogue): void {
    this.catalogue = catalogue
    this.#catalogueStamp = catalogueStamp(this.folder)
  }

  declare(collection: StoredCollection): void {
    const { name } = collection.stored
    this.engine.declare([collection.stored])
    this.collections.set(name, collection)
    this.#byFolder.set(collectionFolder(name), name)
  }

  get collectionFolders(): string[] {
    return [...this.#byFolder.keys()]
  }

  /** A collection that was declared. */
  collection(name: string): StoredCollection {
    return this.collections.get(name) as StoredCollection
  }

  /** The columns of a removed row kept by the change feed. */
  removedOf(collection: string, { revision, columns }: Row): NonNullable<Change['removed']> {
    return { revision, columns: removedColumns(this.collection(collection).stored.declaration, columns) }
  }

  /** The collection of a file, by its path. */
  collectionAt(path: string): string | undefined {
    return this.#byFolder.get(path.split('/', 1)[0] as string)
  }

  /** True if a path is relevant: a record in this format or, by mistake, in the other one, or a link. */
  isRecordFile(path: string): boolean {
    if (this.collectionAt(path) === undefined) return false
    return EXTENSION.test(path) || this.setAside.at(path) !== undefined || this.folder.isLink(path)
  }

  /** True if the file at a path has changed since it was last adopted or set aside. */
  differs(path: string): boolean {
    const known = this.index.at(path)?.hash ?? this.setAside.at(path)?.hash
    if (known === undefined) return this.isRecordFile(path) && this.folder.exists(path)
    const file = this.folder.read(path)
    return file.kind === 'missing' || file.hash !== known
  }

  /** Adopts files that were changed by hand; see `adopt`. */
  adopt(paths: readonly string[]): Change[] {
    this.#version += 1
    const files = paths.filter((path) => this.isRecordFile(path))
    return adopt(
      this,
      files.map((path) => interpret(this, path, this.folder.read(path))),
    )
  }

  /** Files that were set aside because of others and would be adopted now. */
  retries(): readonly string[] {
    if (this.#retriedVersion !== this.#version) {
      this.#retries = [...this.setAside.files()].filter((file) => fitsNow(this, file)).map((file) => file.path)
      this.#retriedVersion = this.#version
    }
    return this.#retries
  }

  /** Makes commits from the journal visible. Their writers have validated them. */
  replay(changes: readonly Change[]): void {
    const commit = new Map<string, Map<string, Row | null>>()
    for (const change of changes) {
      const { collection, key, record, revision } = change
      const stored = this.collections.get(collection)?.stored
      if (!stored) continue
      const row = record && revision !== undefined ? stored.toWrite(record, revision) : null
      getOrInsert(commit, collection, () => new Map()).set(key, row)
    }
    this.engine.apply(commit)
    this.note(changes)
  }

  /** Records which files hold the changes. */
  note(changes: readonly Change[]): void {
    this.#version += 1
    for (const change of changes) {
      this.index.apply(change)
      this.setAside.delete(change.path)
    }
  }
}
