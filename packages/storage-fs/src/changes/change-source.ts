import type { Folder } from '../files/folder.js'
import type { FileIndex } from '../store/file-index.js'

/** Methods of detecting manual edits. */
export type Detection = 'watch' | 'scan'

/** Finds files that may have changed. It may report too many; the caller compares their content. */
export interface ChangeSource {
  /** All files in the folders of the collections. From now on changes are noticed. */
  all(): string[]
  /** Files that may have appeared, changed or disappeared since they were last reported. */
  changed(index: FileIndex): Promise<readonly string[]>
  /** True if it is worth checking for changes; rate-limited where that is expensive. */
  mayHaveChanged(): boolean
  /** Announces that we are about to replace or remove a file, so that this is not reported. */
  expect(path: string): void
  /** Announces a folder that we have just created, for the same reason. */
  created(folder: string): void
  close(): void
}

/** The target of a source. */
export interface Watched {
  readonly folder: Folder
  /** Folders of the collections, in the root. */
  collectionFolders(): readonly string[]
}
