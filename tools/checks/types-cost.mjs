// @ts-check
// How much work our types give the compiler, in instantiations: `npm run check:types-cost`, on built packages. They do not
// depend on the machine, and one generic type too clever costs a million of them in each program that uses it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { countedInstantiations } from '../compile.mjs'
import { listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'

/** @import { Package } from '../packages.mjs' */
/** @typedef {{ name: string, instantiations: number }} Cost */

/** Instantiations that a program may take; all others have `others`. */
export const limits = { '@minions/core': 600_000, others: 400_000 }

/** @param {Cost[]} costs @returns {string[]} */
export function costProblems(costs) {
  return costs.flatMap(({ name, instantiations }) => {
    const limit = name === '@minions/core' ? limits[name] : limits.others
    if (instantiations <= limit) return []
    return [`${name} takes ${format(instantiations)} instantiations, more than the ${format(limit)} it may take`]
  })
}

/**
 * Compiles with one checker, since several repeat each other's work. Throws what the compiler says when it fails.
 *
 * @param {string} folder @param {string[]} args
 */
export function countInstantiations(folder, args) {
  const options = ['--noEmit', '--checkers', '1', '--extendedDiagnostics', '--pretty', 'false']
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { status, stdout, stderr } = spawnSync(tsc, [...args, ...options], { cwd: folder, encoding: 'utf8' })
  const count = /^Instantiations:\s+(\d+)$/m.exec(stdout)?.[1]
  if (status !== 0 || count === undefined) throw new Error(`${folder} does not compile:\n${stdout}${stderr}`)
  return Number(count)
}

/**
 * Gives `use` a user's program: it imports all there is and leaves the types of what it defines to inference.
 *
 * @template T
 * @param {Package[]} packages
 * @param {(folder: string, args: string[]) => T} use
 */
export function withUserProgram(packages, use) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-types-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const entries = packages.flatMap(({ name, manifest }) =>
      Object.keys(manifest.exports ?? {})
        .filter((key) => !key.endsWith('.json'))
        .map((key) => join(name, key)),
    )
    const imports = entries.map((entry, index) => `export * as entry${index} from '${entry}'\n`)
    writeFileSync(join(folder, 'program.mts'), imports.join('') + program)
    return use(folder, ['program.mts', ...userOptions])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * What the build counted when it compiled a package as a whole; otherwise what is counted now.
 *
 * @param {Package[]} packages
 * @returns {Cost[]}
 */
export function costsOf(packages) {
  return packages.map(({ name, folder }) => ({
    name,
    instantiations:
      countedInstantiations(folder) ??
      countInstantiations(folder, ['-p', '.', '--composite', 'false', '--incremental', 'false']),
  }))
}

const userOptions = '--target es2023 --module nodenext --strict --skipLibCheck --types node'.split(' ')

const program = `
import { type Collection, defineCollection, type StoreAccess } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { type CompleteSkill, defineSkill } from '@minions/skills-runtime'
import { Type } from 'typebox'

const schema = Type.Object({ id: Type.String(), pages: Type.Optional(Type.Integer()) })
const notes = defineCollection({ name: 'notes', version: 1, schema, key: 'id' })
export const collections: Collection[] = [defineCollection({ name: 'more_notes', version: 1, schema, key: 'id' })]
export const skills: CompleteSkill[] = [
  defineSkill({ name: 'count', version: '1.0.0', parameters_schema: schema, execute: ({ id }) => ({ id }) }),
]
export const countPages = async (store: StoreAccess, id: string) => (await store.get(notes, id))?.pages ?? 0
export const app = createMinions({ storage: 'memory:', plugins: [] })
`

/** @param {number} count */
const format = (count) => count.toLocaleString('en')

if (argv[1] === fileURLToPath(import.meta.url)) {
  const packages = listPackages()
  const instantiations = withUserProgram(packages, countInstantiations)
  const costs = [...costsOf(packages), { name: 'a program that uses them all', instantiations }]
  for (const { name, instantiations } of costs) console.log(`${format(instantiations).padStart(9)} ${name}`)
  reportProblems('types-cost', costProblems(costs), `${costs.length} programs compile within their limits`)
}
