// @ts-check
// A storage backend in one JSON file, for data that fits into memory and is rarely written. It passes the conformance kit.
import { open, readFile, rename } from 'node:fs/promises'
import { MinionsError } from '@minions/core'
import { Mutex } from '@minions/core/coordination'
import { MemoryEngine } from '@minions/core/memory'
import { collectionFromDeclaration } from '@minions/core/storage'

/** @import { MemoryTransaction, Row } from '@minions/core/memory' */
/** @import { Collection, CollectionDeclaration, StorageBackend, StorageTransaction } from '@minions/core/storage' */
/** @typedef {{ declaration: CollectionDeclaration, rows: Row[] }} SavedCollection */

/**
 * A factory takes options and touches nothing; `open` does.
 *
 * @param {{ path: string }} options
 * @returns {StorageBackend}
 */
export function jsonStorage({ path }) {
  return new JsonStorage(path)
}

/** @implements {StorageBackend} */
class JsonStorage {
  name = 'json'
  /** One process at a time, since nothing tells it that another has written. It has no change feed. */
  capabilities = { shared: false, count: true, search: true }
  /** Transactions run one after the other. */
  #mutex = new Mutex()
  #path
  /** @type {MemoryEngine | undefined} Core's rules in memory: rows, indexes, uniqueness, references. */
  #engine
  #isOpen = false

  /** @param {string} path */
  constructor(path) {
    this.#path = path
  }

  /** @param {readonly Collection[]} collections */
  open(collections) {
    return this.#mutex.run(async () => {
      // Into an engine of its own, so that a failed upgrade leaves the file and the open store alone.
      const engine = await this.#load()
      engine.declare(collections)
      await this.#save(snapshot(engine))
      this.#engine = engine
      this.#isOpen = true
    })
  }

  async close() {
    this.#isOpen = await this.#mutex.run(async () => false)
  }

  /** @type {StorageBackend['get']} */
  async get(collection, keys) {
    return this.#open().get(collection, keys)
  }
  /** @type {StorageBackend['query']} */
  async query(collection, plan) {
    return this.#open().query(collection, plan)
  }
  /** @type {StorageBackend['count']} */
  async count(collection, selection) {
    return this.#open().count(collection, selection)
  }
  async catalogue() {
    return this.#open().catalogue()
  }

  /**
   * @template T
   * @param {(tx: StorageTransaction) => Promise<T>} work
   * @returns {Promise<T>}
   */
  transaction(work) {
    return this.#mutex.run(async () => {
      const engine = this.#open()
      const transaction = engine.begin()
      const result = await work(transaction)
      engine.verify(transaction)
      // The file first: if it cannot be written, nothing has happened.
      await this.#save(snapshot(engine, transaction))
      engine.apply(transaction.commit)
      return result
    })
  }

  #open() {
    if (!this.#isOpen || !this.#engine) throw new MinionsError('CLOSED', `The store ${this.#path} is not open.`)
    return this.#engine
  }

  async #load() {
    const engine = new MemoryEngine()
    for (const { declaration, rows } of await this.#read()) {
      // Also collections that the program no longer declares: they stay listed, readable and enforced.
      engine.declare([collectionFromDeclaration(declaration)])
      for (const row of rows) engine.insert(declaration.name, row)
    }
    return engine
  }

  /** @returns {Promise<SavedCollection[]>} */
  async #read() {
    try {
      return JSON.parse(await readFile(this.#path, 'utf8'))
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
      const code = cause instanceof SyntaxError ? 'STORAGE_CORRUPT' : 'STORAGE_UNAVAILABLE'
      throw new MinionsError(code, `The store ${this.#path} cannot be read.`, { cause })
    }
  }

  /** Replaces the file whole: a reader, or a crash, finds the old content or the new. @param {SavedCollection[]} content */
  async #save(content) {
    const temporary = `${this.#path}.new`
    try {
      const file = await open(temporary, 'w')
      try {
        await file.writeFile(JSON.stringify(content))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(temporary, this.#path)
    } catch (cause) {
      throw new MinionsError('STORAGE_UNAVAILABLE', `The store ${this.#path} cannot be written.`, { cause })
    }
  }
}

/**
 * Everything in an engine, as it will be once a transaction is committed.
 *
 * @param {MemoryEngine} engine
 * @param {MemoryTransaction} [transaction]
 * @returns {SavedCollection[]}
 */
function snapshot(engine, transaction) {
  return engine.catalogue().map((declaration) => {
    const changed = transaction?.commit.get(declaration.name) ?? new Map()
    const kept = [...engine.rows(declaration.name)].filter(({ key }) => !changed.has(key))
    return { declaration, rows: [...kept, ...[...changed.values()].filter((row) => row !== null)].map(savedRow) }
  })
}

/** What a row is made of, by name: words are found only when they are read. @param {Row} row @returns {Row} */
function savedRow({ key, revision, record, columns, references, words }) {
  return { key, revision, record, columns, references, words }
}
