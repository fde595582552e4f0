// @ts-check
// Checks the package in the current folder as it would be published: `npm run check:package` inside a package.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { pack } from '../pack.mjs'
import { readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'minions-package-'))
try {
  const { tarball, files } = pack(cwd(), scratch)
  reportProblems('package', [...fileProblems(files), ...toolProblems(tarball)], `${files.length} files are publishable`)
} finally {
  rmSync(scratch, { recursive: true })
}

/**
 * What must or must not be in a tarball. A compiler leaves the output of a deleted source behind.
 *
 * @param {string[]} files
 */
function fileProblems(files) {
  const sources = new Set(files.filter((file) => file.startsWith('src/')).map((file) => file.slice('src/'.length)))
  const leftOver = files.filter((file) => {
    // What pages and entries are bundled into has names of its own.
    const source = /^dist\/(?!(?:web|bundle)\/)(.*)\.js$/.exec(file)?.[1]
    return source !== undefined && !sources.has(`${source}.ts`)
  })
  return [
    ...['README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts', 'src/index.ts']
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing from the tarball`),
    ...leftOver.map((file) => `${file} has no source any more; delete dist/ and build again`),
    ...files
      // Templates of tests are what a generator is for.
      .filter((file) => /\.test(-d)?\.(?!.*\.tmpl$)|\.tsbuildinfo$|^test\//.test(file))
      .map((file) => `${file} must not be published`),
  ]
}

/** @param {string} tarball */
function toolProblems(tarball) {
  const { exports = {} } = readJson('package.json')
  const data = Object.keys(exports).filter((key) => key.endsWith('.json'))
  const tools = [
    ['publint', 'run', tarball, '--strict'],
    ['attw', tarball, '--profile', 'esm-only', '--no-emoji', '--no-color', '--exclude-entrypoints', ...data],
  ]
  return tools.flatMap(([tool = '', ...args]) => {
    const { status, stdout, stderr } = spawnSync(join(root, 'node_modules/.bin', tool), args, { encoding: 'utf8' })
    return status === 0 ? [] : [`${tool} found problems:\n${stdout}${stderr}`]
  })
}
