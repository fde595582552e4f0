// @ts-check
// What Node loads of a package: its modules in a few files, so that starting does not mean opening hundreds. A package asks for
// it with the condition "node" in its "exports"; bundlers and browsers keep the modules one by one, of which they drop most.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { listFiles, listPackages, readJson, root } from '../packages.mjs'

/** @import { CodeSplittingGroup } from 'rolldown' */
/** @import { Package } from '../packages.mjs' */

/** Where the files are, below the package. */
export const bundleFolder = 'dist/bundle'

/** Says what the files were made of. */
const STAMP = '.inputs'

/** Dependencies that become part of a bundle: those of many small modules, which hold no state that others must share. */
const inlined = [
  'typebox',
  '@noble/hashes',
  'eventemitter3',
  'semver',
  'tsyringe',
  'reflect-metadata',
  'tslib',
  'commander',
  'get-east-asian-width',
  'fast-myers-diff',
]

/** Core has typebox in its bundle, and the others use it there. */
const sharedByCore = new Map([['typebox', '@minions/core/typebox']])

/**
 * Modules that are in one file with each other. Of core that is everything. Of the command it is what each command line starts with,
 * and what most commands work with; the rest is loaded by the command that needs it.
 *
 * @type {Record<string, CodeSplittingGroup[]>}
 */
const groups = {
  '@minions/core': [{ name: 'core', test: /./ }],
  '@minions/cli': [
    { name: 'start', priority: 2, test: /node_modules|cli\/dist\/(cli|main|program\/.*|store\/store-need)\.js$/ },
    {
      name: 'common',
      priority: 1,
      test: /cli\/dist\/(errors|app\/(app|configuration|logger)|input\/(?!evaluation|wizard|edit).*|output\/(?!mission|write).*|store\/(backend|store))\.js$/,
    },
  ],
}

/** Modules that nobody imports by a name, but which are files of their own all the same. @type {Record<string, Record<string, string>>} */
const programs = {
  '@minions/cli': { main: 'dist/main.js' },
  // Worker threads load it, and find it beside the file that starts them.
  '@minions/skills-runtime': { 'worker-entry': 'dist/runtime/isolation/worker-entry.js' },
}

/**
 * The entries of a package's bundle: the built module of each, by the name of the file it becomes.
 *
 * @param {Package} pkg
 * @returns {Record<string, string>}
 */
function bundleEntries({ folder, manifest }) {
  return Object.fromEntries(
    Object.values(manifest.exports ?? {}).flatMap((target) => {
      if (typeof target !== 'object' || target === null) return []
      const { node, default: modules } = target
      if (typeof node !== 'string' || typeof modules !== 'string') return []
      return [[relative(bundleFolder, node).replace(/\.js$/, ''), join(folder, modules)]]
    }),
  )
}

/**
 * Bundles what the compiler wrote. Files that are right already are not touched, since other programs may be using them.
 *
 * @param {Package} pkg
 */
async function bundlePackage(pkg) {
  const input = { ...bundleEntries(pkg), ...inFolder(pkg.folder, programs[pkg.name]) }
  if (Object.keys(input).length === 0 || !Object.values(input).every((file) => existsSync(file))) return
  const folder = join(pkg.folder, bundleFolder)
  const digest = digestOf(pkg)
  if (existsSync(join(folder, STAMP)) && readFileSync(join(folder, STAMP), 'utf8') === digest) return
  const outside = outsideOf(pkg)
  // A build that has nothing to do must not wait for the bundler to load.
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input,
    cwd: pkg.folder,
    // Core runs in browsers, too.
    platform: pkg.name === '@minions/core' ? 'neutral' : 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => outside(id) !== undefined,
    // What entries share is in files of its own: in one of them it would be exported there, and so become reachable for users.
    preserveEntrySignatures: 'strict',
    logLevel: 'warn',
  })
  const { output } = await build.generate({
    dir: bundleFolder,
    format: 'esm',
    paths: (id) => outside(id) ?? id,
    chunkFileNames: '[name]-[hash].js',
    // The declarations have the documentation; Node would read it at every start.
    comments: { legal: true, annotation: false, jsdoc: false },
    // Names stay as they are written, and so do stack traces. Node prints the line where an error was thrown that nobody caught, so
    // that a file of one line would fill the terminal; only the command reports its errors itself.
    minify: { mangle: false, compress: false, codegen: { removeWhitespace: pkg.name === '@minions/cli' } },
    sourcemap: true,
    codeSplitting: { groups: groups[pkg.name] ?? [] },
  })
  await build.close()
  /** @type {Map<string, string | Uint8Array>} */
  const wanted = new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]))
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const notices = noticesOf(modules)
  if (notices !== '') wanted.set('THIRD-PARTY-LICENSES.txt', notices)
  wanted.set(STAMP, digest)
  for (const [name, contents] of wanted) replace(join(folder, name), contents)
  for (const name of readdirSync(folder)) if (!wanted.has(name)) rmSync(join(folder, name), { recursive: true })
}

/** What a bundle is made of: the built modules of the package, the versions of what is inlined, and this file. @param {Package} pkg */
function digestOf({ folder }) {
  const hash = createHash('sha256')
  const modules = listFiles(join(folder, 'dist')).filter((file) => file.endsWith('.js') && !file.startsWith('bundle/'))
  const others = [join(folder, 'package.json'), join(root, 'package-lock.json'), fileURLToPath(import.meta.url)]
  for (const file of [...modules.map((name) => join(folder, 'dist', name)), ...others]) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

/** @param {string} folder @param {Record<string, string>} [files] */
function inFolder(folder, files = {}) {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(folder, file)]))
}

/** Bundles all packages that ask for it. */
export async function bundlePackages() {
  for (const pkg of listPackages()) await bundlePackage(pkg)
}

/**
 * Everything but the package itself and what is inlined is imported where it is installed.
 *
 * @param {Package} pkg
 * @returns {(id: string) => string | undefined} what is imported instead of it
 */
function outsideOf({ name }) {
  return (id) => {
    if (/^[./]|^[A-Za-z]:\\/.test(id)) return undefined
    const shared = name === '@minions/core' ? undefined : sharedByCore.get(id)
    if (shared !== undefined) return shared
    return inlined.some((one) => id === one || id.startsWith(`${one}/`)) ? undefined : id
  }
}

/** The licences of what is inlined: most ask that they go with every copy. @param {string[]} modules */
function noticesOf(modules) {
  const folders = modules.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [])
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = readJson(join(folder, 'package.json'))
      const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry))
      const text = file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim()
      return `${name} ${version}\n\n${text}\n`
    })
    .join(`\n${'-'.repeat(72)}\n\n`)
}

/** @param {string} path @param {string | Uint8Array} contents */
function replace(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(contents))) return
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${pid}.tmp`
  writeFileSync(draft, contents)
  renameSync(draft, path)
}
