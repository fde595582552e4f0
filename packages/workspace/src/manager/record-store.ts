import type { FileContent } from './json-file.js'

export interface RecordStore {
  /** For messages: a path or the name of a store. */
  readonly name: string
  read(): Promise<FileContent>
  /**
   * Replaces `before`, the records that were read, with `records`. Throws `CONFLICT` when another process wrote in the
   * meantime; then nothing is written.
   */
  write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void>
  /** Runs work that reads and writes, exclusively where the store can lock. */
  locked<T>(work: () => Promise<T>): Promise<T>
  /** Keeps damaged content for later and returns its location. */
  keep(bytes: Uint8Array): Promise<string>
}
