// @ts-check
// Uses the packages as a stranger would: packs each one, installs the tarballs into an empty project outside the
// repository, imports every public entry, compiles a consumer with declarations, compiles and runs the READMEs' snippets,
// and runs an operation of a plugin that is not ours.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { execPath } from 'node:process'
import { runSnippets, writeSnippets } from '../docs/run-snippets.mjs'
import { pack } from '../pack.mjs'
import { listFiles, listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { foreignPluginProblems } from './foreign-plugin.mjs'

/** @import { Package } from '../packages.mjs' */

const packages = listPackages().filter(({ manifest }) => !manifest.private)
const project = realpathSync(mkdtempSync(join(tmpdir(), 'minions-tarballs-')))
/** @type {string[]} */
const problems = []
let snippetCount = 0

try {
  install()
  const entries = packages.flatMap(publicEntries)
  const snippets = [
    ...writeSnippets(project, '.', 'root'),
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
  problems.push(...foreignPluginProblems(project))
  problems.push(...(await runSnippets(project, snippets)))
  reportProblems(
    'tarballs',
    problems,
    `${packages.length} packages install, ${entries.length} entries import, ${snippetCount} snippets compile and run, a foreign plugin works`,
  )
} finally {
  rmSync(project, { recursive: true, force: true })
}

function install() {
  const dependencies = Object.fromEntries(
    packages.map(({ name, folder }) => [name, `file:${pack(folder, project).tarball}`]),
  )
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  const { status, stderr } = run('npm', ['install', ...flags], project)
  if (status !== 0) throw new Error(`the tarballs do not install together:\n${stderr}`)
  // Native code was compiled when the repository was installed; compiling it again would test nothing of ours.
  const native = 'node_modules/better-sqlite3/build'
  if (existsSync(join(root, native)) && existsSync(join(project, 'node_modules/better-sqlite3'))) {
    cpSync(join(root, native), join(project, native), { recursive: true })
  }
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
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
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
      include: ['consumer.ts', 'snippets'],
    }),
  )
  const { stdout } = run(join(root, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], project)
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
    timeout: 120_000,
  })
}
