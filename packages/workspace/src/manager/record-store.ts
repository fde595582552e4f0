import type { FileContent } from './json-file.js'

/** Where a manager keeps the records of its workspaces. */
export interface RecordStore {
  /** For messages: a path or the name of a store. */
  readonly name: string
  read(): Promise<FileContent>
  /**
   * Replaces what `before` says was read by `records`. Throws `CONFLICT` when another process wrote meanwhile, and nothing
   * is written then.
   */
  write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void>
  /** Runs work that reads and writes, exclusively where the store can lock. */
  locked<T>(work: () => Promise<T>): Promise<T>
  /** Keeps something damaged for later and says where. */
  keep(bytes: Uint8Array): Promise<string>
}
