// @ts-check
// Uses the packages as a stranger would: packs each one, installs the tarballs into an empty project outside the
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

function install() {
  const dependencies = Object.fromEntries(
    packages.map(({ name, folder }) => [name, `file:${pack(folder, project).tarball}`]),
  )
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies }))
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  const { status, stderr } = run('npm', ['install', ...flags], project)
  if (status !== 0) throw new Error(`the tarballs do not install together:\n${stderr}`)
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
