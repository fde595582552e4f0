import type { FileContent } from './json-file.js'

/** Where a manager keeps the records of its workspaces. */
export interface RecordPlace {
  /** For messages: a path or the name of a store. */
  readonly name: string
  read(): Promise<FileContent>
  /**
   * Puts `records` in the place of what `before` says was read. Throws `CONFLICT` when somebody else wrote meanwhile, and
   * nothing is written then.
   */
  write(records: Readonly<Record<string, unknown>>, before: FileContent): Promise<void>
  /** Runs work that reads and writes, alone if the place can see to that. */
  locked<T>(work: () => Promise<T>): Promise<T>
  /** Keeps something damaged for later and says where. */
  keep(bytes: Uint8Array): Promise<string>
}
