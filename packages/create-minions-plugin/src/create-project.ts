import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { manifestOf, type Sources, versions } from './project.js'
import { fillTemplate } from './templates.js'
import { type Kind, valuesOf } from './values.js'

export interface ProjectOptions {
  /** A folder with tarballs of the packages of Minions, which are installed instead of those of the registry. */
  readonly tarballs?: string | undefined
}

/** A created project. */
export interface Project {
  readonly folder: string
  readonly packageName: string
  readonly files: readonly string[]
}

/**
 * Writes a project that builds and passes its tests into a new folder. `target` is its path, and its last part the name:
 * `audit-log`, or `minions-storage-shelf`, whose URLs then begin with `shelf:`. Throws if the folder is not empty.
 */
export function createProject(
  kind: Exclude<Kind, 'package'>,
  target: string,
  { tarballs }: ProjectOptions = {},
): Project {
  const folder = resolve(target)
  const prefix = kind === 'storage' ? 'minions-storage-' : 'minions-'
  const short = basename(folder)
    .replace(/^minions-/, '')
    .replace(kind === 'storage' ? /^storage-/ : /^plugin-/, '')
  const values = valuesOf(short, `${prefix}${short}`)
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new Error(`${target} is not empty; name a folder that does not exist yet.`)
  }
  const manifest = manifestOf(kind, values, tarballs === undefined ? versions : tarballsIn(resolve(tarballs)))
  const files: Record<string, string> = {
    ...fillTemplate(kind, values),
    ...fillTemplate('standalone', values),
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, packageName: values.package, files: Object.keys(files).sort() }
}

/** The packages of Minions in a folder of tarballs: `minions-core-0.1.0.tgz` is `@minions/core`. */
function tarballsIn(folder: string): Sources {
  const found = readdirSync(folder).flatMap((file) => {
    const name = /^minions-(.+?)-\d+\.\d+\.\d+.*\.tgz$/.exec(file)?.[1]
    return name === undefined ? [] : [[`@minions/${name}`, pathToFileURL(join(folder, file)).href] as const]
  })
  if (found.length === 0) throw new Error(`${folder} contains no tarballs of Minions.`)
  return Object.fromEntries(found)
}
