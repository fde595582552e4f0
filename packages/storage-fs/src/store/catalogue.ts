import { lstatSync } from 'node:fs'
import { MinionsError } from '@minions/core'
import { type CollectionDeclaration, collectionFromDeclaration } from '@minions/core/storage'
import type { FileFormat } from '../codec/codec.js'
import { corrupt } from '../errors.js'
import { type Folder, STATE_FOLDER } from '../files/folder.js'

const CATALOGUE = `${STATE_FOLDER}/catalogue.json`
const LAYOUT = 1

/** The description of a store. It belongs with the records, so unlike the rest of its folder it is kept in git. */
export interface Catalogue {
  /** Version of the layout of the folder. */
  readonly layout: number
  readonly format: FileFormat
  readonly collections: Readonly<Record<string, CollectionDeclaration>>
}

export function emptyCatalogue(format: FileFormat): Catalogue {
  return { layout: LAYOUT, format, collections: {} }
}

/** The catalogue of a store; undefined if it has none yet. */
export function readCatalogue(folder: Folder): Catalogue | undefined {
  const file = folder.read(CATALOGUE)
  if (file.kind === 'missing') return undefined
  if (file.kind === 'refused') throw corrupt(folder.root, `${file.message}.`)
  const catalogue = parse(folder, file.text ?? '')
  if (catalogue.layout > LAYOUT) {
    throw new MinionsError(
      'STORAGE_VERSION',
      `The file store "${folder.root}" has layout ${catalogue.layout}, but this program knows only ${LAYOUT}; upgrade the program.`,
      { details: { root: folder.root, stored: catalogue.layout, known: LAYOUT } },
    )
  }
  return catalogue
}

export function writeCatalogue(folder: Folder, { layout, format, collections }: Catalogue): void {
  const sorted = Object.fromEntries(Object.entries(collections).sort(([a], [b]) => (a < b ? -1 : 1)))
  folder.write(CATALOGUE, `${JSON.stringify({ layout, format, collections: sorted }, null, 2)}\n`, { durable: true })
}

/** Changes whenever the catalogue is replaced. */
export function catalogueStamp(folder: Folder): string {
  const stats = lstatSync(folder.absolute(CATALOGUE), { throwIfNoEntry: false })
  return stats ? [stats.ino, stats.size, stats.mtimeMs].join() : ''
}

function parse(folder: Folder, text: string): Catalogue {
  try {
    const value: Catalogue = JSON.parse(text)
    const isKnown = Number.isSafeInteger(value.layout) && ['json', 'yaml'].includes(value.format)
    if (!isKnown) throw new Error('It lacks its layout or format.')
    if (value.layout > LAYOUT) return value
    for (const [name, declaration] of Object.entries(value.collections)) {
      if (collectionFromDeclaration(declaration).name !== name)
        throw new Error(`"${name}" has another name in its declaration.`)
    }
    return value
  } catch (cause) {
    throw corrupt(folder.root, `${CATALOGUE} cannot be read; resolve the conflict in it or restore it.`, cause)
  }
}
