import { compareCodePoints, getOrInsert } from '@minions/core/json'
import type { RecordWrite, StorageProblem } from '@minions/core/storage'

/** A file that is not used, and the reason. */
export interface SetAsideFile {
  readonly path: string
  readonly hash: string
  readonly code: string
  readonly message: string
  readonly collection: string
  /** Key of the record it holds, or held; undefined if it cannot be determined. */
  readonly key: string | undefined
  /** The record, if it can be read and only its neighbours are in the way. */
  readonly write?: RecordWrite
}

/** Files that are broken, or violate a constraint. They stay where they are, to be fixed by hand. */
export class SetAside {
  readonly #byPath = new Map<string, SetAsideFile>()
  readonly #byKey = new Map<string, Set<string>>()

  at(path: string): SetAsideFile | undefined {
    return this.#byPath.get(path)
  }

  /** True if a record exists but is not used. Records that refer to it are not at fault. */
  holds(collection: string, key: string): boolean {
    return this.#byKey.has(`${collection}/${key}`)
  }

  files(): Iterable<SetAsideFile> {
    return this.#byPath.values()
  }

  add(file: SetAsideFile): void {
    this.delete(file.path)
    this.#byPath.set(file.path, file)
    if (file.key === undefined) return
    getOrInsert(this.#byKey, `${file.collection}/${file.key}`, () => new Set()).add(file.path)
  }

  delete(path: string): void {
    const file = this.#byPath.get(path)
    if (!file) return
    this.#byPath.delete(path)
    const name = `${file.collection}/${file.key}`
    const paths = this.#byKey.get(name)
    paths?.delete(path)
    if (paths?.size === 0) this.#byKey.delete(name)
  }

  problems(): StorageProblem[] {
    const files = [...this.#byPath.values()].sort((a, b) => compareCodePoints(a.path, b.path))
    return files.map(({ code, message, path, collection, key }) => ({
      code,
      message,
      details: { path, collection, ...(key !== undefined && { key }) },
    }))
  }
}
