import type { GateCase, GateReport } from '../gate/gate-report.js'
import { escapeMarkup } from './escape.js'
import { differenceText, headline, isWorse, reporter, scoreText, sideText } from './words.js'

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 } td, th { padding: .25rem .75rem; text-align: left; border-bottom: 1px solid #8884 }
td.n { text-align: right; font-variant-numeric: tabular-nums }
.status { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; color: #fff; background: #666 }
.passed, .better { background: #18794e } .regressed, .worse, .failed { background: #cd2b31 } .inconclusive { background: #ad5700 }
details { border: 1px solid #8884; border-radius: .4rem; margin: .5rem 0; padding: .5rem .75rem } summary { cursor: pointer }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 }
`

/**
 * Reports as one self-contained HTML page: the verdicts, the statistics, and for each test the outputs of both
 * versions, side by side. It has no script, and its policy forbids loading anything.
 */
export const gateHtml = reporter(
  'gateHtml',
  (reports) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(reports.map(headline).join('; '))}</title>
<style>${STYLE}</style>
</head>
<body>
${reports.map(sectionOf).join('\n')}
</body>
</html>
`,
)

function sectionOf(report: GateReport): string {
  const { status, reason, prompt } = report
  // Regressions first.
  const cases = report.cases.toSorted((a, b) => Number(isWorse(b)) - Number(isWorse(a)))
  return `<h1>${escapeMarkup(prompt.name ?? prompt.title)} <span class="status ${status}">${status}</span></h1>
<p>${escapeMarkup(sideText(report.candidate))} against ${escapeMarkup(sideText(report.baseline))}. ${escapeMarkup(reason)}</p>
${dimensionTable(report)}
<h2>Tests</h2>
${cases.map((one) => caseOf(report, one)).join('\n')}`
}

function dimensionTable({ dimensions }: GateReport): string {
  if (dimensions.length === 0) return ''
  const rows = dimensions.map(
    (row) =>
      `<tr><td>${escapeMarkup(row.dimension)}<td class="n">${row.n}<td class="n">${row.meanBaseline.toFixed(1)}<td class="n">${row.meanCandidate.toFixed(1)}<td class="n">${differenceText(row)}<td class="n">${interval(row.confidenceInterval)}<td class="n">${row.adjustedPValue.toFixed(4)}<td>${row.verdict}`,
  )
  return `<table><thead><tr><th>dimension<th>tests<th>baseline<th>candidate<th>difference<th>95 %<th>p<th>verdict<tbody>
${rows.join('\n')}
</table>`
}

function interval(bounds: readonly [number, number] | null): string {
  return bounds ? `${bounds[0].toFixed(1)} … ${bounds[1].toFixed(1)}` : '–'
}

function caseOf({ baseline, candidate }: GateReport, one: GateCase): string {
  const side = (title: string, outcome: GateCase['baseline']) =>
    `<div><strong>${escapeMarkup(title)}</strong> ${outcome.passed ? 'passed' : 'failed'} · ${escapeMarkup(scoreText(outcome))}<pre>${escapeMarkup(outcome.output)}</pre></div>`
  return `<details${isWorse(one) ? ' open' : ''}><summary>${escapeMarkup(one.title)}${one.golden ? ' (golden)' : ''} <span class="status ${one.change}">${one.change}</span></summary>
<div class="sides">${side(sideText(baseline), one.baseline)}${side(sideText(candidate), one.candidate)}</div></details>`
}
