import { dirname } from 'node:path'
import { withLock } from '../files/lock.js'
import { makeDirectory } from '../files/make-directory.js'
import type { FileContent, JsonFile } from './json-file.js'
import type { RecordPlace } from './record-place.js'

/** Workspaces in one JSON file, with a lock file beside it. */
export class FilePlace implements RecordPlace {
  readonly #file: JsonFile

  constructor(file: JsonFile) {
    this.#file = file
  }

  get name(): string {
    return this.#file.path
  }

  read(): Promise<FileContent> {
    return this.#file.read()
  }

  write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void> {
    return this.#file.write(records, before)
  }

  async locked<T>(work: () => Promise<T>): Promise<T> {
    await makeDirectory(dirname(this.#file.path))
    return withLock(`${this.#file.path}.lock`, work)
  }

  keep(bytes: Uint8Array): Promise<string> {
    return this.#file.keep(bytes)
  }
}
