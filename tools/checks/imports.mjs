// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { listFiles } from '../packages.mjs'

/**
 * @typedef {{ file: string, line: number, specifier: string }} Import
 *   `file` is absolute; `specifier` is what stands between the quotes.
 */

/** Syntax that names another module in `source`: static, re-exporting, dynamic, `typeof import()` and `import x = require()`. */
const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
])

/**
 * Every import in the TypeScript files below a folder, type imports included. A dynamic import of a computed name has no
 * specifier to judge and is left out.
 *
 * @param {string} folder
 * @returns {Import[]}
 */
export function readImports(folder) {
  return listFiles(folder)
    .filter((name) => /\.[cm]?tsx?$/.test(name))
    .flatMap((name) => {
      const file = join(folder, name)
      const text = readFileSync(file, 'utf8')
      const { program, errors } = parseSync(file, text)
      if (errors[0]) throw new Error(`${file} does not parse: ${errors[0].message}`)
      return findSources(program).map(({ value, start }) => ({
        file,
        line: text.slice(0, start).split('\n').length,
        specifier: value,
      }))
    })
}

/**
 * @param {unknown} node
 * @returns {{ value: string, start: number }[]}
 */
function findSources(node) {
  if (Array.isArray(node)) return node.flatMap(findSources)
  if (typeof node !== 'object' || node === null) return []
  const { type, source, expression } = /** @type {Record<string, any>} */ (node)
  const named = importing.has(type) ? source : type === 'TSExternalModuleReference' ? expression : undefined
  const own = typeof named?.value === 'string' ? [named] : []
  return [...own, ...Object.values(node).flatMap(findSources)]
}
