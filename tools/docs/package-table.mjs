// @ts-check
import { layers } from '../checks/layers.mjs'

/** @import { Package } from '../packages.mjs' */

/**
 * The packages as a Markdown table, in the order of the table of layers.
 *
 * @param {Package[]} packages
 * @returns {string}
 */
export function packageTable(packages) {
  const order = Object.keys(layers)
  const rows = packages
    .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    .map(({ name, path, manifest }) => `| [\`${name}\`](${path}) | ${manifest.description} |`)
  return ['| package | what it is |', '|---|---|', ...rows].join('\n')
}
