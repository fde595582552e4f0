// @ts-check
// Makes a new package: `npm run new -- plugin <name>` or `npm run new -- storage <name>`.
import { argv } from 'node:process'
import { root } from '../packages.mjs'
import { generate, kinds } from './generate.mjs'

const [kind = '', name = '', ...rest] = argv.slice(2)
if (!kinds.includes(kind) || name === '' || rest.length > 0) {
  console.error(`Usage: npm run new -- <${kinds.join('|')}> <name>   e.g. npm run new -- plugin audit-log`)
  process.exit(2)
}
try {
  const { path, files, changed } = generate(kind, name, root)
  console.log(`Created ${path}:\n${files.map((file) => `  ${file}`).join('\n')}`)
  console.log(`Changed ${changed.join(', ')}.\n`)
  console.log(`Next: npm install && cd ${path} && npm test`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
