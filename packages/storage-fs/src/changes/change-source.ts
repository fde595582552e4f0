import type { FileIndex } from '../file-index.js'
import type { Folder } from '../folder.js'

/** How files that were edited by hand are found. */
export type Detection = 'watch' | 'scan'

/** Finds files that may have changed. It may name too many; the caller compares their content. */
export interface ChangeSource {
  /** All files in the folders of the collections. From now on changes are noticed. */
  all(): string[]
  /** Files that may have appeared, changed or gone since they were last named. */
  changed(index: FileIndex): Promise<readonly string[]>
  /** Whether it is worth asking what has changed; says so from time to time where that takes long to find out. */
  mayHaveChanged(): boolean
  /** Tells of a file that is about to be replaced or removed by us, so that this need not be reported. */
  expect(path: string): void
  /** Tells of a folder that we have just made, for the same reason. */
  created(folder: string): void
  close(): void
}

/** What a source looks at. */
export interface Watched {
  readonly folder: Folder
  /** Folders of the collections, in the root. */
  collectionFolders(): readonly string[]
}
