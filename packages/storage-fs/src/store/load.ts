import { setImmediate as turn } from 'node:timers/promises'
import { MinionsError } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import type { Row } from '@minions/core/memory'
import type { Collection } from '@minions/core/storage'
import type { ChangeSource } from '../changes/change-source.js'
import { codecs, type FileFormat } from '../codec/codec.js'
import { restoreFiles } from '../commit/write-files.js'
import type { FeedFile } from '../feed/feed-file.js'
import { adopt } from '../files/adopt.js'
import type { Folder } from '../files/folder.js'
import { interpret, type Reading, readUnchanged } from '../files/read-record.js'
import { writeReadme } from '../files/readme.js'
import { Journal, type OnAppend } from '../journal/journal.js'
import type { JournalRecord } from '../journal/record.js'
import { type Catalogue, emptyCatalogue, readCatalogue, writeCatalogue } from './catalogue.js'
import { FileIndex } from './file-index.js'
import { State } from './state.js'
import { declareAll, outdated, upgradeAll } from './upgrade.js'

/** Number of files read before others have their turn. */
const AT_ONCE = 256

export interface LoadOptions {
  readonly folder: Folder
  /** Undefined: the format of the store, JSON if it is new. */
  readonly format: FileFormat | undefined
  readonly collections: readonly Collection[]
  /** True if the lock is held. If not, nothing is written, and anything that would have to be is refused. */
  readonly writable: boolean
  source(state: State): ChangeSource
  readonly feed: FeedFile
}

export interface Loaded {
  readonly state: State
  /** Undefined in a store that has none and cannot be written. */
  readonly journal: Journal | undefined
}

/** Loads a store: completes interrupted commits, adopts manual changes, upgrades collections. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { folder, writable } = options
  if (writable) folder.createStateFolders()
  const index = FileIndex.read(folder)
  const onAppend: OnAppend = (records) => options.feed.append(records)
  const journal =
    Journal.open(folder, onAppend) ?? (writable ? Journal.begin(folder, index.generation ?? 0, onAppend) : undefined)
  try {
    const catalogue = await recover(options, index, journal)
    if (writable && journal) options.feed.recover(journal)
    else options.feed.refresh()
    const codec = codecs[catalogue.format]
    if (writable) {
      folder.clearTemporaries()
      writeReadme(folder, codec)
    }
    const state = new State({ folder, codec, index, catalogue })
    declareAll(state, options.collections)
    const edits = adopt(state, await readAll(state, options.source(state)))
    if (writable && journal) {
      journal.appendEdits(edits)
      await upgradeAll(state, journal, options.collections)
    } else {
      refuseUpgrade(state, options)
      // Another process is writing these files, or died doing it: the journal has them completely.
      for (const { changes } of journal?.pending ?? []) state.replay(changes)
    }
    if (writable && journal?.isFromEarlierBoot) {
      options.feed.flush(journal.generation)
      await index.save(folder, journal.generation)
      journal.restart()
    }
    return { state, journal }
  } catch (error) {
    journal?.close()
    throw error
  }
}

/** Applies the journal to the index and the files, and reads the catalogue. */
async function recover(options: LoadOptions, index: FileIndex, journal: Journal | undefined): Promise<Catalogue> {
  const { folder, writable } = options
  const read = journal?.read() ?? []
  const records = read === 'lost' ? [] : read.filter(({ generation }) => generation > (index.generation ?? -1))
  for (const { changes } of records) for (const change of changes) index.apply(change)
  const catalogue = () => checkFormat(options, readCatalogue(folder) ?? lastCatalogue(records))
  if (!journal || !writable) return catalogue()
  journal.repair()
  const undone = journal.isFromEarlierBoot ? records : journal.pending
  const pendingCatalogue = lastCatalogue(journal.pending)
  if (pendingCatalogue) writeCatalogue(folder, pendingCatalogue)
  if (undone.length > 0) {
    const changes = undone.flatMap((record) => record.changes)
    await restoreFiles(folder, codecs[catalogue().format], changes)
    journal.markApplied()
  }
  return catalogue()
}

function lastCatalogue(records: readonly JournalRecord[]): Catalogue | undefined {
  return records.findLast((record) => record.catalogue)?.catalogue
}

function checkFormat({ folder, format }: LoadOptions, catalogue: Catalogue | undefined): Catalogue {
  if (!catalogue) return emptyCatalogue(format ?? 'json')
  if (format === undefined || format === catalogue.format) return catalogue
  throw new MinionsError(
    'VALIDATION_FAILED',
    `The file store "${folder.root}" stores its records as ${catalogue.format}, not as ${format}; open it with format ` +
      `"${catalogue.format}", or copy it to a new store.`,
    { details: { root: folder.root, stored: catalogue.format, asked: format } },
  )
}

/** Adopts all files that are as we wrote them, and returns the state of the others. */
async function readAll(state: State, source: ChangeSource): Promise<Reading[]> {
  const files = source.all()
  const rows = new Map<string, Map<string, Row>>()
  const others: Reading[] = []
  let unchanged = 0
  for (const [count, path] of files.entries()) {
    const file = state.folder.read(path, { walked: true })
    const row = readUnchanged(state, path, file)
    if (row) {
      getOrInsert(rows, state.collectionAt(path) as string, () => new Map()).set(row.key, row)
      unchanged += 1
    } else if (state.isRecordFile(path)) others.push(interpret(state, path, file))
    if (count % AT_ONCE === 0) await turn()
  }
  state.engine.apply(rows)
  return unchanged === state.index.size ? others : [...others, ...missing(state, files)]
}

function missing(state: State, files: readonly string[]): Reading[] {
  const found = new Set(files)
  const paths = [...state.index.paths()].filter((path) => !found.has(path))
  return paths.map((path) => ({ kind: 'missing', path }))
}

function refuseUpgrade(state: State, { folder, collections }: LoadOptions): void {
  const [collection] = outdated(state, collections)
  if (!collection) return
  throw new MinionsError(
    'STORAGE_UNAVAILABLE',
    `The file store "${folder.root}" has "${collection.name}" in an older version and cannot be written to upgrade it.`,
    { details: { root: folder.root, collection: collection.name } },
  )
}
