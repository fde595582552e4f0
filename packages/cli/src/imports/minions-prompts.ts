import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '@minions/core/json'
import { emptyContent, type ForeignContent, type ForeignRecord } from './foreign-content.js'

/** Data folder of the minions-prompts command, relative to the working directory. */
const LOCATIONS = ['db.json', join('.prompts-data', 'db.json')]

/**
 * Reads data of minions-prompts: the folder or file in which its command keeps prompts, or one prompt exported as JSON.
 */
export async function readPromptsExport(path: string): Promise<ForeignContent> {
  const value: unknown = JSON.parse(await readFile(await fileOf(path), 'utf8'))
  if (!isRecord(value)) throw new Error('it is not an object')
  const content = emptyContent()
  const add = (into: ForeignRecord[], where: string, records: unknown) => {
    for (const [name, record] of Object.entries(Object(records ?? []))) {
      if (isRecord(record)) into.push({ where: `${where}/${name}`, record })
      else content.problems.push({ where: `${where}/${name}`, message: 'it is not an object' })
    }
  }
  if (isRecord(value.prompt)) content.minions.push({ where: 'prompt', record: value.prompt })
  for (const part of ['minions', 'versions', 'testResults']) add(content.minions, part, value[part])
  add(content.relations, 'relations', value.relations)
  return content
}

async function fileOf(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path
  for (const location of LOCATIONS) {
    const file = join(path, location)
    if (await stat(file).catch(() => undefined)) return file
  }
  throw new Error('the folder has no db.json')
}
