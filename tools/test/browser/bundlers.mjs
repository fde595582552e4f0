// @ts-check
import * as esbuild from 'esbuild'
import * as vite from 'vite'
import { root } from '../../packages.mjs'

const SOURCE = '@minions/source'

/**
 * Bundles a module with all it imports into one, our packages from source. Rejects when something it imports does not
 * exist in a browser.
 *
 * @type {Record<string, (entry: string) => Promise<string>>}
 */
export const bundlers = {
  async Vite(entry) {
    const output = await vite.build({
      configFile: false,
      root,
      logLevel: 'silent',
      resolve: { conditions: [SOURCE, ...vite.defaultClientConditions] },
      build: {
        write: false,
        target: 'es2023',
        modulePreload: false,
        rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
      },
    })
    const chunks = [output].flat().flatMap((result) => ('output' in result ? result.output : []))
    // Vite puts an empty module in place of a Node module and goes on.
    const emptied = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])).filter(isEmptied)
    if (emptied.length > 0) throw new Error(`The bundle needs modules of Node: ${emptied.join(', ')}`)
    return only(chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : chunk.fileName)))
  },

  async esbuild(entry) {
    const { outputFiles } = await esbuild.build({
      entryPoints: [entry],
      absWorkingDir: root,
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'esm',
      target: 'es2023',
      minify: true,
      conditions: [SOURCE],
      logLevel: 'silent',
    })
    return only(outputFiles.map(({ text }) => text))
  },
}

/** @param {string} moduleId */
function isEmptied(moduleId) {
  return moduleId.includes('__vite-browser-external:')
}

/** @param {string[]} files */
function only(files) {
  if (files.length !== 1) throw new Error(`The bundle has ${files.length} files instead of one.`)
  return /** @type {string} */ (files[0])
}
