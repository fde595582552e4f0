// @ts-check
// Compiles projects as `tsc -b` does, and keeps how many instantiations each took: the compiler counts them anyway, so that to
// judge them nothing has to be compiled again. Of what was compiled before it checks only what changed, and with `--noCheck` nothing,
// so those counts are not kept.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { execPath } from 'node:process'
import { commandFile, listPackages, readJson, root } from './packages.mjs'

/** @typedef {{ output: string, instantiations: number }} Count `output` stands for the compilation that was counted */

/** @param {string} base */
const countsFile = (base) => join(base, 'reports/instantiations.json')

/**
 * Resolves to the status that the compiler ended with, after printing what it found.
 *
 * @param {string[]} args
 * @param {string} [cwd] the folder that the arguments are relative to
 * @param {string} [base] the repository's root
 */
export function compile(args, cwd = process.cwd(), base = root) {
  const options = ['-b', '--verbose', '--extendedDiagnostics', '--pretty', 'false', ...args]
  const known = args.includes('--force')
    ? []
    : listPackages(base).filter(({ folder }) => outputOf(folder) !== undefined)
  const { status, stdout } = spawnSync(execPath, [commandFile('typescript', 'tsc'), ...options], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { messages, counts } = readOutput(stdout)
  if (messages.length > 0) console.error(messages.join('\n'))
  if (!args.includes('--noCheck'))
    keepCounts(
      [...counts]
        .map(([project, count]) => ({ folder: dirname(join(cwd, project)), count }))
        .filter(({ folder }) => known.every((pkg) => pkg.folder !== folder)),
      base,
    )
  return status ?? 1
}

/**
 * How many instantiations a package took; undefined if the last build of it did not count them all.
 *
 * @param {string} folder of the package
 * @param {string} [base] the repository's root
 * @returns {number | undefined}
 */
export function countedInstantiations(folder, base = root) {
  const count = readCounts(base)[relative(base, folder)]
  return count?.output === outputOf(folder) ? count?.instantiations : undefined
}

/**
 * What a verbose compiler says: the mistakes, and the instantiations of each project that it compiled, by the file of the project.
 *
 * @param {string} text
 */
export function readOutput(text) {
  /** @type {string[]} */
  const messages = []
  /** @type {Map<string, number>} */
  const counts = new Map()
  let project = ''
  // Below the statistics of the last project are those of all together.
  for (const line of text.split(/^Projects in scope:/m)[0]?.split('\n') ?? []) {
    const [, building] = /^\d\S* .*- Building project '(.*)'\.\.\.$/.exec(line) ?? []
    const [, count] = /^Instantiations:\s+(\d+)$/.exec(line) ?? []
    if (building !== undefined) project = building
    else if (count !== undefined) counts.set(project, Number(count))
    else if (!isStatistic(line)) messages.push(line)
  }
  return { messages, counts }
}

/** @param {string} line */
const isStatistic = (line) =>
  line === '' || /^\d[\d:]* [AP]M - /.test(line) || /^ {4}\* /.test(line) || /^[A-Z][\w ]+: +[\d.]+[sK]?$/.test(line)

/** @param {{ folder: string, count: number }[]} counts @param {string} base */
function keepCounts(counts, base) {
  if (counts.length === 0) return
  const kept = readCounts(base)
  for (const { folder, count } of counts) {
    const output = outputOf(folder)
    if (output !== undefined) kept[relative(base, folder)] = { output, instantiations: count }
  }
  mkdirSync(dirname(countsFile(base)), { recursive: true })
  writeFileSync(countsFile(base), JSON.stringify(kept))
}

/** @param {string} base @returns {Record<string, Count>} by the path of the package */
const readCounts = (base) => (existsSync(countsFile(base)) ? readJson(countsFile(base)) : {})

/** @param {string} folder */
function outputOf(folder) {
  const file = join(folder, 'dist/.tsbuildinfo')
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : undefined
}
