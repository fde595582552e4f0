// @ts-check
import { join } from 'node:path'
import { readImports } from '../checks/imports.mjs'
import { layers } from '../checks/layers.mjs'
import { listFiles } from '../packages.mjs'

/** @import { Package } from '../packages.mjs' */

/**
 * The packages and their imports as a Mermaid diagram, read from shipped source. An arrow that follows from others is
 * left out: what imports prompts also reaches core. The command, which may use everything, is left out too.
 *
 * @param {Package[]} packages
 */
export function packageMap(packages) {
  const graph = importGraph(packages.filter(({ name }) => name !== '@minions/cli'))
  const lines = [...graph].flatMap(([name, imported]) => {
    const indirect = new Set([...imported].flatMap((next) => [...reachable(graph, next)]))
    const direct = [...imported].filter((next) => !indirect.has(next))
    return direct.length === 0 ? [`  ${short(name)}`] : direct.map((next) => `  ${short(name)} --> ${short(next)}`)
  })
  return ['```mermaid', 'flowchart BT', ...lines, '```'].join('\n')
}

/**
 * The folders of each package's source, which are its table of contents.
 *
 * @param {Package[]} packages
 */
export function sourceMap(packages) {
  const order = Object.keys(layers)
  const rows = packages
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(({ name, path, folder }) => {
      const entries = listFiles(join(folder, 'src'), false).filter((entry) => entry !== 'index.ts')
      const shown = entries.map((entry) => (entry.endsWith('.ts') ? entry : `${entry}/`))
      return `| [\`${short(name)}\`](${path}/src) | ${shown.map((entry) => `\`${entry}\``).join(' ')} |`
    })
  return ['| package | `src/` |', '|---|---|', ...rows].join('\n')
}

/** @param {Package[]} packages @returns {Map<string, Set<string>>} what each package imports of ours */
function importGraph(packages) {
  const order = Object.keys(layers)
  const names = packages.map(({ name }) => name).sort((a, b) => order.indexOf(a) - order.indexOf(b))
  return new Map(
    names.map((name) => {
      const folder = packages.find((pkg) => pkg.name === name)?.folder ?? ''
      const imported = readImports(join(folder, 'src')).map(({ specifier }) =>
        specifier.split('/').slice(0, 2).join('/'),
      )
      return [name, new Set(names.filter((other) => other !== name && imported.includes(other)))]
    }),
  )
}

/** @param {Map<string, Set<string>>} graph @param {string} from @returns {Set<string>} without `from` itself */
function reachable(graph, from, found = new Set(/** @type {string[]} */ ([]))) {
  for (const next of graph.get(from) ?? []) {
    if (found.has(next)) continue
    found.add(next)
    reachable(graph, next, found)
  }
  return found
}

/** @param {string} name */
const short = (name) => name.replace('@minions/', '')
