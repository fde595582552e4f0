import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UsageError } from './arguments.js'

/** Writes files into a new or empty folder, and returns its path. Throws a `UsageError` if something is in it. */
export function writeProject(folder: string, files: Readonly<Record<string, string>>): string {
  const root = resolve(folder)
  if (existsSync(root) && readdirSync(root).some((name) => name !== '.git')) {
    throw new UsageError(`The folder ${root} is not empty; choose another one.`)
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return root
}
