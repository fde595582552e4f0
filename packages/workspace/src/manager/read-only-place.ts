import { workspaceError } from '../errors.js'
import type { FileContent } from './json-file.js'
import type { RecordPlace } from './record-place.js'

/** Files seen from inside a transaction: they can be read, but writing them could not be undone with it. */
export class ReadOnlyPlace implements RecordPlace {
  readonly #place: RecordPlace

  constructor(place: RecordPlace) {
    this.#place = place
  }

  get name(): string {
    return this.#place.name
  }

  read(): Promise<FileContent> {
    return this.#place.read()
  }

  async write(): Promise<void> {
    throw workspaceError(
      'CAPABILITY_MISSING',
      `Workspaces in ${this.name} cannot take part in a transaction; save them outside, or keep them in the store.`,
    )
  }

  locked<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  keep(bytes: Uint8Array): Promise<string> {
    return this.#place.keep(bytes)
  }
}
