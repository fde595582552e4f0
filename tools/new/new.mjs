// @ts-check
// Makes a new package: `npm run new -- plugin <name>`, `npm run new -- storage <name>` or `npm run new -- package <name>`. Then links it,
// and writes the documents that list packages and operations again, so that every check passes at once.
import { spawnSync } from 'node:child_process'
import { argv } from 'node:process'
import { root } from '../packages.mjs'
import { generate, kinds } from './generate.mjs'

/** @import { Kind } from 'create-minions-plugin' */

/** @type {[string, ...string[]][]} */
const steps = [
  ['npm', 'install', '--no-audit', '--no-fund'],
  ['npm', 'run', 'docs'],
]

const [kind = '', name = '', ...rest] = argv.slice(2)
if (!kinds.includes(kind) || name === '' || rest.length > 0) {
  console.error(`Usage: npm run new -- <${kinds.join('|')}> <name>   e.g. npm run new -- plugin audit-log`)
  process.exit(2)
}
try {
  const { path, files, changed } = generate(/** @type {Kind} */ (kind), name, root)
  console.log(`Created ${path}:\n${files.map((file) => `  ${file}`).join('\n')}`)
  console.log(`Changed ${changed.join(', ')}.\n`)
  for (const [program, ...args] of steps) {
    console.log(`> ${program} ${args.join(' ')}`)
    const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
    if (status !== 0)
      throw new Error(`${program} ${args.join(' ')} ended with ${status}; mend that and run npm run docs.`)
  }
  console.log(`\nNext: cd ${path} && npm test`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
