// @ts-check

/** @import { Figure, Results, Row } from './results.mjs' */

const head = ['what', 'ours', 'peer', 'ratio', 'bar', 'where the bar comes from', 'met']

/**
 * Rows as a Markdown table.
 *
 * @param {Row[]} rows
 */
export function benchTable(rows) {
  const lines = [head, head.map(() => '---'), ...rows.map(cells)]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/**
 * Rows as a table for a terminal, with the area first.
 *
 * @param {Row[]} rows
 */
export function terminalTable(rows) {
  const lines = [['area', ...head], ...rows.map((row) => [row.area, ...cells(row)])]
  const widths = head.concat('').map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * The whole results as a Markdown document.
 *
 * @param {Results} results
 */
export function resultsDocument({ machine, rows }) {
  const areas = [...new Set(rows.map((row) => row.area))]
  return [
    '# Benchmarks',
    `Written by \`npm run bench\`. Both sides of a row ran interleaved in one process; figures are medians of several rounds with the spread between their quartiles. Inputs are drawn from varied corpora made from a seed. A bar comes from a peer or a limit; a missed one is shown as missed. Last machine: ${machine}; where the load is above the number of its processors, others had them too, and what waits for a disk or a thread is slower than it is.`,
    ...areas.flatMap((area) => [`## ${area}`, benchTable(rows.filter((row) => row.area === area))]),
  ]
    .join('\n\n')
    .concat('\n')
}

/** @param {Row} row */
function cells({ name, ours, peer, ratio, bar, met, note }) {
  return [
    note ? `${name} (${note})` : name,
    ours ? figure(ours) : 'left out',
    peer ? figure(peer) : '',
    ratio === undefined ? '' : `${number(ratio)} ×`,
    bar ? `${bar.limit === 'at least' ? '≥' : '≤'} ${number(bar.value)} ${bar.unit}` : '',
    bar?.from ?? '',
    met === undefined ? '' : met ? 'yes' : 'MISSED',
  ]
}

/** @param {Figure} figure */
function figure({ value, unit, spread, name }) {
  const around = spread === undefined ? '' : ` ±${Math.round(spread * 50)} %`
  return `${name ? `${name}: ` : ''}${number(value)} ${unit}${around}`
}

/** @param {number} value */
const number = (value) =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
