import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { studioError } from '../errors.js'

/** A file of the page, ready to be sent. */
interface WebFile {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

export interface WebFiles {
  /** The document, with `NONCE` where the number of an answer belongs. */
  readonly document: string
  /** All others, by their path below the document. */
  readonly files: ReadonlyMap<string, WebFile>
}

/** Where the build puts the page, seen from the sources and from what they are compiled to. */
const FOLDER = fileURLToPath(new URL('../../dist/web/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

let loaded: Promise<WebFiles> | undefined

/** Reads the files of the page, once in a process. Throws `PAGE_MISSING`. */
export function webFiles(): Promise<WebFiles> {
  loaded ??= load().catch((error: unknown) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function load(): Promise<WebFiles> {
  const names = await readdir(FOLDER, { recursive: true }).catch((): string[] => [])
  if (!names.includes('index.html')) {
    throw studioError('PAGE_MISSING', 'The page of the Studio was not built; run npm run build in the repository.')
  }
  const files = new Map<string, WebFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    files.set(name.replaceAll('\\', '/'), { type, body: new Uint8Array(await readFile(join(FOLDER, name))) })
  }
  return { document: await readFile(join(FOLDER, 'index.html'), 'utf8'), files }
}
