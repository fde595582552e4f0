import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@minions/core/json'
import { emptyContent, type ForeignContent, type ForeignRecord } from './foreign-content.js'
import { readSdkYaml } from './sdk-yaml.js'

const RECORD = /\.(json|ya?ml)$/

/** Files of its projects that are not records. */
const OTHERS = new Set(['minions.config.json', 'package.json', 'package-lock.json', 'tsconfig.json'])

/**
 * Reads a folder of minions-sdk: minions in `<two characters of the id>/<the next two>/<id>.json` or `.yaml`, or as single
 * files, and beside them the types that its command writes, `<slug>.type.json`. It keeps no relations.
 */
export async function readSdkFolder(folder: string): Promise<ForeignContent> {
  const content = emptyContent()
  for (const name of await names(folder)) {
    if (name.endsWith('.type.json')) await read(content, content.types, folder, name)
    else if (RECORD.test(name) && !OTHERS.has(name)) await read(content, content.minions, folder, name)
    if (name.length !== 2) continue
    for (const inner of await names(join(folder, name))) {
      if (inner.length !== 2) continue
      for (const file of await names(join(folder, name, inner))) {
        if (RECORD.test(file)) await read(content, content.minions, folder, `${name}/${inner}/${file}`)
      }
    }
  }
  return content
}

async function read(content: ForeignContent, into: ForeignRecord[], folder: string, where: string): Promise<void> {
  try {
    const text = await readFile(join(folder, where), 'utf8')
    const record: unknown = where.endsWith('.json') ? JSON.parse(text) : readSdkYaml(text)
    if (!isRecord(record)) throw new Error('it is not an object')
    into.push({ where, record })
  } catch (error) {
    content.problems.push({ where, message: (error as Error).message })
  }
}

async function names(folder: string): Promise<string[]> {
  const entries = await readdir(folder).catch(() => [])
  return entries.sort()
}
