import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { createProject } from './create-project.js'
import type { Kind } from './values.js'

/** Runs `npm create minions-plugin <folder>` or `npm create minions-storage <folder>`, and resolves to the exit code. */
export async function main(kind: Exclude<Kind, 'package'>, argv: readonly string[]): Promise<number> {
  const name = kind === 'storage' ? 'shelf' : 'audit-log'
  const usage = `Usage: npm create minions-${kind} <folder> [-- --tarballs <folder>]   e.g. npm create minions-${kind} ${name}`
  let positionals: string[]
  let values: { readonly help?: boolean; readonly tarballs?: string }
  try {
    ;({ positionals, values } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, tarballs: { type: 'string' } },
    }))
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${usage}\n`)
    return 2
  }
  const [target, ...more] = positionals
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  if (target === undefined || more.length > 0) {
    process.stderr.write(`${usage}\n`)
    return 2
  }
  try {
    const { folder, packageName, files } = createProject(kind, target, { tarballs: values.tarballs })
    const location = relative(process.cwd(), folder) || '.'
    process.stdout.write(`Created ${packageName} in ${location}:\n${files.map((file) => `  ${file}\n`).join('')}`)
    process.stdout.write(`\nNext: cd ${location} && npm install && npm run build && npm test\n`)
    return 0
  } catch (error) {
    process.stderr.write(`create-minions-${kind}: ${messageOf(error)}\n`)
    return 1
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
