// @ts-check
// Writes the JSON Schema files of every package from its TypeBox schemas: `npm run schemas`, on built packages.
// A package publishes schemas by exporting `publishedSchemas`, file name to schema, from `src/schemas/published.ts`.
// With `--check` nothing is written; a difference, a missing and a left-over file are errors.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { listFiles, listPackages } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { schemaDocument, schemaProblem, undescribed } from './document.mjs'

/** @import { Package } from '../packages.mjs' */

const check = argv.includes('--check')
/** @type {string[]} */
const problems = []
let count = 0

for (const pkg of listPackages()) {
  const folder = join(pkg.folder, 'schemas')
  const wanted = await readPublished(pkg)
  if (!wanted) {
    problems.push(`${pkg.name} is not built; run npm run build`)
    continue
  }
  count += wanted.size
  for (const [file, text] of wanted) {
    const current = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : undefined
    if (current === text) continue
    if (check)
      problems.push(
        `${pkg.path}/schemas/${file} is ${current === undefined ? 'missing' : 'out of date'}; run npm run schemas`,
      )
    else write(folder, file, text)
  }
  for (const file of listFiles(folder).filter((name) => !wanted.has(name))) {
    if (check) problems.push(`${pkg.path}/schemas/${file} belongs to no published schema; run npm run schemas`)
    else rmSync(join(folder, file))
  }
}

reportProblems('schemas', problems, `${count} files ${check ? 'are up to date' : 'written'}`)

/**
 * @param {Package} pkg
 * @returns {Promise<Map<string, string> | undefined>} the text of each file by its name, or nothing if it is not built
 */
async function readPublished({ name, folder }) {
  /** @type {Map<string, string>} */
  const files = new Map()
  if (!existsSync(join(folder, 'src/schemas/published.ts'))) return files
  const built = join(folder, 'dist/schemas/published.js')
  if (!existsSync(built)) return undefined
  const { publishedSchemas } = await import(pathToFileURL(built).href)
  for (const [file, schema] of Object.entries(publishedSchemas)) {
    const document = schemaDocument(`urn:minions:${basename(folder)}:${file}`, schema)
    const problem = schemaProblem(document)
    if (problem) problems.push(`${name}: ${file} is not usable: ${problem}`)
    const silent = undescribed(document)
    if (silent.length > 0) problems.push(`${name}: ${file} does not describe ${silent.join(', ')}`)
    files.set(`${file}.json`, `${JSON.stringify(document, null, 2)}\n`)
  }
  return files
}

/** @param {string} folder @param {string} file @param {string} text */
function write(folder, file, text) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), text)
}
