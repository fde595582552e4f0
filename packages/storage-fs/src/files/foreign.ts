import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MinionsError } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { STATE_FOLDER } from './folder.js'

/** Programs whose folders look like a store but are not: each has an import in the `minions` command. */
export type ForeignFormat = 'minions-sdk' | 'minions-prompts' | 'miminions'

const PROGRAMS: Readonly<Record<ForeignFormat, string>> = {
  'minions-sdk': 'minions of minions-sdk',
  'minions-prompts': 'prompts of minions-prompts',
  miminions: 'workspaces (workspaces.json), as MiMinions stores them',
}

const RECORD = /\.(json|ya?ml)$/

/** Throws `VALIDATION_FAILED` for a folder of another program, which would otherwise become an empty store. */
export function refuseForeign(root: string): void {
  const format = foreignFormat(root)
  if (format === undefined) return
  throw new MinionsError(
    'VALIDATION_FAILED',
    `"${root}" is not a file store: it holds ${PROGRAMS[format]}. Import them into a store with: minions import --from ${format} ${root}`,
    { details: { root, format } },
  )
}

/** The program that a folder belongs to, if it is one of those; `undefined` for a store, whatever else it contains. */
export const foreignFormat = guarded('foreignFormat', (root: string): ForeignFormat | undefined => {
  if (existsSync(join(root, STATE_FOLDER))) return undefined
  const names = namesIn(root)
  if (names.some((name) => isShard(root, name)) || hasMinions(root, names)) return 'minions-sdk'
  if (names.includes('db.json') && isPromptsFile(join(root, 'db.json'))) return 'minions-prompts'
  if (existsSync(join(root, '.prompts-data', 'db.json'))) return 'minions-prompts'
  return names.includes('workspaces.json') ? 'miminions' : undefined
})

/**
 * minions-sdk stores a minion in `<two characters of its id>/<the next two>/<id>.json` or `.yaml`, ignoring hyphens.
 */
function isShard(root: string, outer: string): boolean {
  if (outer.length !== 2) return false
  return namesIn(join(root, outer)).some(
    (inner) =>
      inner.length === 2 &&
      namesIn(join(root, outer, inner)).some(
        (file) => RECORD.test(file) && file.replaceAll('-', '').startsWith(outer + inner),
      ),
  )
}

/** Its command works on single files, which are then in one folder. A few are enough to recognise it. */
function hasMinions(root: string, names: readonly string[]): boolean {
  const candidates = names.filter((name) => RECORD.test(name)).slice(0, 20)
  return candidates.some((name) => {
    const path = join(root, name)
    return name.endsWith('.json') ? 'minionTypeId' in jsonIn(path) : /^minionTypeId:/m.test(textIn(path))
  })
}

/** The file in which the command of minions-prompts stores everything. */
function isPromptsFile(path: string): boolean {
  const { minions, relations } = jsonIn(path)
  return typeof minions === 'object' && Array.isArray(relations)
}

/** The members of a JSON object; none for any other file. */
function jsonIn(path: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(textIn(path)))
  } catch {
    return {}
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
