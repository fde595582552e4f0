// @ts-check
// Uses the packages as a stranger would: packs them, judges what is in the tarballs, installs them into an empty project outside the
// repository, imports every public entry, compiles a consumer with declarations, compiles and runs the snippets of the READMEs and guides,
// and runs an operation of a plugin that is not ours.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execPath } from 'node:process'
import { runSnippets, writeSnippets } from '../docs/run-snippets.mjs'
import { reuseNativeCode } from '../native.mjs'
import { pack } from '../pack.mjs'
import { listFiles, listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { createdProjectProblems } from './created-project.mjs'
import { foreignPluginProblems } from './foreign-plugin.mjs'
import { publishedProblems } from './published-package.mjs'

/** @import { Packed } from '../pack.mjs' */
/** @import { Package } from '../packages.mjs' */

const packages = listPackages().filter(({ manifest }) => !manifest.private)
const project = realpathSync(mkdtempSync(join(tmpdir(), 'minions-tarballs-')))
/** @type {string[]} */
const problems = []
let snippetCount = 0

try {
  const tarballs = pack(
    packages.map(({ folder }) => folder),
    project,
  )
  for (const [index, packed] of tarballs.entries()) {
    const { manifest } = /** @type {Package} */ (packages[index])
    problems.push(...(await publishedProblems(manifest, packed)))
  }
  install(tarballs)
  const entries = packages.flatMap(publicEntries)
  const snippets = [
    ...writeSnippets(project, '.', 'root'),
    ...listFiles(join(root, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => writeSnippets(project, '.', file.replace(/\W/g, '-'), `docs/${file}`)),
    ...packages.flatMap(({ path, folder }) => {
      const files = writeSnippets(project, path, basename(folder))
      if (!files[0] || files[0].mark === 'no-run')
        problems.push(`${path}/README.md does not begin with a snippet that runs`)
      return files
    }),
  ]
  snippetCount = snippets.length
  importEntries(entries)
  compile(entries.filter((entry) => !entry.endsWith('.json')))
  compileAlone()
  problems.push(...foreignPluginProblems(project))
  problems.push(...(await createdProjectProblems(project)))
  problems.push(...(await runSnippets(project, snippets)))
  reportProblems(
    'tarballs',
    problems,
    `${packages.length} packages install, ${entries.length} entries import, ${snippetCount} snippets compile and run, a foreign plugin and a created project work`,
  )
} finally {
  rmSync(project, { recursive: true, force: true })
}

/** @param {Packed[]} tarballs */
function install(tarballs) {
  const dependencies = Object.fromEntries(packages.map(({ name }, index) => [name, `file:${tarballs[index]?.tarball}`]))
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  const { status, signal, stderr } = run('npm', ['install', ...flags], project)
  if (status !== 0) throw new Error(`the tarballs do not install together, ended with ${status ?? signal}:\n${stderr}`)
  reuseNativeCode(project)
}

/** @param {Package} pkg @returns {string[]} what an application can import, patterns filled in */
function publicEntries({ name, folder, manifest }) {
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
    if (!key.includes('*')) return [join(name, key)]
    const [before = '', after = ''] = String(target).slice('./'.length).split('*')
    return listFiles(join(folder, before))
      .filter((file) => file.endsWith(after))
      .map((file) => join(name, before, file))
  })
}

/** @param {string[]} entries */
function importEntries(entries) {
  const script = entries.map((entry) =>
    entry.endsWith('.json') ? `require(${JSON.stringify(entry)})` : `await import(${JSON.stringify(entry)})`,
  )
  write(
    'import-all.mjs',
    ["import { createRequire } from 'node:module'", 'const require = createRequire(import.meta.url)', ...script].join(
      '\n',
    ),
  )
  const { status, stderr } = run(execPath, ['import-all.mjs'], project)
  if (status !== 0) problems.push(`an entry cannot be imported:\n${stderr}`)
}

/** @param {string[]} entries */
function compile(entries) {
  write('consumer.ts', entries.map((entry, index) => `export * as entry${index} from '${entry}'\n`).join(''))
  compileFiles('tsconfig.json', ['consumer.ts', 'snippets'], {})
}

/**
 * A program that reads one entry alone can still name everything that it gets from there in its declarations. Those of the entry
 * were checked with all others.
 */
function compileAlone() {
  write(
    'alone.ts',
    `import { defineType, Minions, type MinionsOptions } from '@minions/core'
const book = defineType({ id: 'book', name: 'Book', slug: 'book', schema: [{ name: 'author', type: 'string' }] })
export const open = (storage: MinionsOptions['storage']) => Minions.open({ storage, types: [book] })
type Client = Awaited<ReturnType<typeof open>>
export const created = (client: Client) => client.create('book', { title: 'A' })
export const planned = (client: Client) => client.types.planEvolution('book', [])
export const changes = (client: Client) => client.changePages({})
export const imported = (client: Client) => client.importBundle('')
export const registry = (client: Client) => client.registry
`,
  )
  compileFiles('tsconfig.alone.json', ['alone.ts'], { skipLibCheck: true })
}

/** @param {string} name @param {string[]} include @param {{ skipLibCheck?: boolean }} more */
function compileFiles(name, include, more) {
  write(
    name,
    JSON.stringify({
      compilerOptions: {
        ...more,
        // Several would do the same work again.
        checkers: 1,
        target: 'ES2023',
        module: 'NodeNext',
        moduleResolution: 'NodeNext',
        strict: true,
        exactOptionalPropertyTypes: true,
        declaration: true,
        rootDir: '.',
        outDir: 'out',
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node'],
      },
      include,
    }),
  )
  const { stdout } = run(join(root, 'node_modules/.bin/tsc'), ['-p', name, '--pretty', 'false'], project)
  // Declarations are checked too, but those of other people's packages are theirs to mend.
  const errors = stdout
    .split('\n')
    .filter((line) => /error TS/.test(line) && !/^node_modules\/(?!@minions\/)/.test(line))
  problems.push(...errors)
}

/** @param {string} file @param {string} text */
function write(file, text) {
  const path = join(project, file)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

/** @param {string} command @param {string[]} args @param {string} folder */
function run(command, args, folder) {
  return spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ends what hangs; an installation on a busy machine takes minutes.
    timeout: 600_000,
  })
}
