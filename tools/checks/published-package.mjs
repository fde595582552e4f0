// @ts-check
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** @import { Packed } from '../pack.mjs' */
/** @import { Manifest } from '../packages.mjs' */

/** Our packages are modules, for resolvers that read `exports`. */
const unsupportedResolutions = ['node10', 'node16-cjs']

/**
 * What is wrong with a package as it would be published.
 *
 * @param {Manifest} manifest
 * @param {Packed} packed
 * @returns {Promise<string[]>}
 */
export async function publishedProblems(manifest, { tarball, files }) {
  const data = new Uint8Array(readFileSync(tarball))
  const problems = [...fileProblems(files), ...(await lintProblems(data)), ...(await typeProblems(manifest, data))]
  return problems.map((problem) => `${manifest.name}: ${problem}`)
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

/** @param {Uint8Array<ArrayBuffer>} tarball */
async function lintProblems(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true, level: 'error' })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)
}

/** @param {Manifest} manifest @param {Uint8Array} tarball */
async function typeProblems({ exports = {} }, tarball) {
  const excludeEntrypoints = Object.keys(exports).filter((key) => key.endsWith('.json'))
  const analysis = await checkPackage(createPackageFromTarballData(tarball), { excludeEntrypoints })
  if (!analysis.types) return ['has no types']
  return analysis.problems
    .filter((problem) => !('resolutionKind' in problem && unsupportedResolutions.includes(problem.resolutionKind)))
    .map((problem) => `are the types wrong: ${JSON.stringify(problem)}`)
}
