import { isMinionsError } from '@minions/core'
import { compareCodePoints } from '@minions/core/json'
import type { Row } from '@minions/core/memory'
import type { RecordWrite } from '@minions/core/storage'
import type { Change } from '../journal/record.js'
import type { Entry } from '../store/file-index.js'
import type { State } from '../store/state.js'
import { recordPath } from './names.js'
import type { Reading } from './read-record.js'
import type { SetAsideFile } from './set-aside.js'

type RecordReading = Extract<Reading, { kind: 'record' }>

/**
 * Adopts files that were added, changed or removed by hand, all at once, and reports the changes. A file that violates
 * a constraint is set aside; so is a record that refers to a removed one. A record that refers to one that is set aside
 * stays, so that one broken file does not affect others.
 */
export function adopt(state: State, readings: readonly Reading[]): Change[] {
  return new Adoption(state).run(readings)
}

/** True if a record that was set aside because of others would be adopted now. */
export function fitsNow(state: State, { path, collection, write }: SetAsideFile): boolean {
  if (!write || !state.isRecordFile(path)) return false
  if (state.index.get(collection, write.key) || danglingReference(state, collection, write)) return false
  try {
    state.engine.insert(collection, write, { dryRun: true })
    return true
  } catch {
    return false
  }
}

/** The previous state of an affected key. */
interface Before {
  readonly collection: string
  readonly key: string
  readonly entry: Entry | undefined
  readonly row: Row | undefined
}

class Adoption {
  readonly #state: State
  /** The previous state of each affected key. */
  readonly #before = new Map<string, Before>()
  /** Keys whose file was removed, broken or replaced. */
  readonly #removed: { collection: string; key: string }[] = []

  constructor(state: State) {
    this.#state = state
  }

  run(readings: readonly Reading[]): Change[] {
    for (const { path } of readings) this.#leave(path)
    for (const reading of readings) if (reading.kind === 'broken') this.#state.setAside.add(reading)
    const records = readings.filter((reading) => reading.kind === 'record').sort((a, b) => this.#precedence(a, b))
    for (const reading of records) this.#admit(reading)
    for (const reading of records) this.#checkReferences(reading)
    for (const { collection, key } of this.#removed) this.#checkReferrers(collection, key)
    return [...this.#before.values()].flatMap((before) => this.#change(before))
  }

  /** The known state of the file is no longer valid. */
  #leave(path: string): void {
    const { index, engine, setAside } = this.#state
    const entry = index.at(path)
    const file = setAside.at(path)
    if (entry) {
      this.#remember(entry.collection, entry.key)
      if (engine.row(entry.collection, entry.key)) engine.remove(entry.collection, entry.key)
      index.delete(entry)
      this.#removed.push(entry)
    } else if (file?.key !== undefined) this.#removed.push({ collection: file.collection, key: file.key })
    setAside.delete(path)
  }

  /**
   * Of several files with the same key, or unique value, the one that was known before wins, then the one at its proper
   * path.
   */
  #precedence(a: RecordReading, b: RecordReading): number {
    const rank = ({ known, path, collection, write }: RecordReading) =>
      known ? 0 : path === recordPath(collection, write.key, this.#state.codec.extension) ? 1 : 2
    return rank(a) - rank(b) || compareCodePoints(a.path, b.path)
  }

  #admit(reading: RecordReading): void {
    const { index, engine } = this.#state
    const { collection, write, path, hash, known } = reading
    const other = index.get(collection, write.key)
    if (other) {
      this.#refuse(reading, 'UNIQUE_VIOLATION', `"${write.key}" of "${collection}" is already in ${other.path}.`)
      return
    }
    try {
      engine.insert(collection, write)
    } catch (error) {
      if (!isMinionsError(error)) throw error
      this.#refuse(reading, error.code, error.message)
      return
    }
    this.#remember(collection, write.key)
    const before = this.#before.get(`${collection}/${write.key}`)?.entry
    const edited = known ? (before?.edited ?? true) : true
    index.set({ collection, key: write.key, path, hash, revision: write.revision, edited })
  }

  #checkReferences({ collection, write, path }: RecordReading): void {
    if (this.#state.index.at(path)?.key !== write.key) return
    const dangling = danglingReference(this.#state, collection, write)
    if (dangling) this.#expel(collection, write, dangling)
  }

  #checkReferrers(collection: string, key: string): void {
    if (exists(this.#state, collection, key)) return
    for (const { collection: from, row } of [...this.#state.engine.referrers(collection, key)]) {
      this.#expel(from, row, { collection, key })
    }
  }

  #expel(collection: string, write: RecordWrite, target: { collection: string; key: string }): void {
    const { index, engine } = this.#state
    const entry = index.get(collection, write.key)
    if (!entry) return
    this.#remember(collection, write.key)
    engine.remove(collection, write.key)
    index.delete(entry)
    const message = `it refers to "${target.key}" of "${target.collection}", which does not exist.`
    this.#refuse({ path: entry.path, hash: entry.hash, collection, write }, 'REFERENCE_VIOLATION', message)
  }

  #refuse(
    { path, hash, collection, write }: Pick<RecordReading, 'path' | 'hash' | 'collection' | 'write'>,
    code: string,
    message: string,
  ): void {
    this.#state.setAside.add({ path, hash, collection, key: write.key, write, code, message: `${path}: ${message}` })
  }

  #remember(collection: string, key: string): void {
    const name = `${collection}/${key}`
    if (!this.#before.has(name)) {
      const row = this.#state.engine.row(collection, key)
      this.#before.set(name, { collection, key, entry: this.#state.index.get(collection, key), row })
    }
  }

  #change({ collection, key, entry: before, row: old }: Before): Change[] {
    const now = this.#state.index.get(collection, key)
    if (now?.revision === before?.revision && now?.path === before?.path) return []
    const was = before?.hash ?? null
    const path = (now ?? (before as Entry)).path
    if (!now) {
      const removed = old ? this.#state.removedOf(collection, old) : { revision: (before as Entry).revision }
      return [{ collection, key, path, was, hash: null, removed, edited: true }]
    }
    const { record } = this.#state.engine.row(collection, key) as RecordWrite
    return [{ collection, key, path, was, hash: now.hash, revision: now.revision, record, edited: true }]
  }
}

/** True if such a record exists, in use or set aside. */
function exists(state: State, collection: string, key: string): boolean {
  return state.engine.row(collection, key) !== undefined || state.setAside.holds(collection, key)
}

function danglingReference(state: State, collection: string, write: RecordWrite) {
  const { references } = state.collection(collection).stored.declaration
  for (const [index, key] of write.references.entries()) {
    const reference = references[index]
    if (typeof key !== 'string' || !reference) continue
    if (!exists(state, reference.collection, key)) return { collection: reference.collection, key }
  }
  return undefined
}
