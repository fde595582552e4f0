// @ts-check

/**
 * @typedef {{ covered: number, total: number, pct: number }} Share
 * @typedef {{ lines: Share, branches: Share, functions: Share }} Total
 * @typedef {{ name: string, total: Total }} PackageCoverage
 */

/**
 * The measured packages as a Markdown table, the least covered first.
 *
 * @param {PackageCoverage[]} packages
 * @returns {string}
 */
export function coverageTable(packages) {
  const rows = packages
    .toSorted((a, b) => a.total.lines.pct - b.total.lines.pct)
    .map(({ name, total: { lines, branches, functions } }) =>
      ['', name, ...[lines, branches, functions].map(({ pct }) => `${pct.toFixed(1)} %`), lines.total, '']
        .join(' | ')
        .trim(),
    )
  return ['| package | lines | branches | functions | lines in all |', '|---|---:|---:|---:|---:|', ...rows].join('\n')
}
