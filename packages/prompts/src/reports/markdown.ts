import type { GateReport } from '../gate/gate-report.js'
import { escapeMarkup } from './escape.js'
import { differenceText, headline, isWorse, reporter, scoreText, sideText } from './words.js'

const MARKS = { passed: '✅', regressed: '❌', inconclusive: '❔', incomparable: '⚠️' } as const

/** Maximum number of tests listed individually. */
const MAX_LISTED = 20

/** Reports as Markdown, for comments on pull requests. */
export const gateMarkdown = reporter('gateMarkdown', (reports) => reports.map(sectionOf).join('\n'))

function sectionOf(report: GateReport): string {
  const { status, reason, dimensions, cases, baseline, candidate } = report
  const worse = cases.filter(isWorse)
  return [
    `### ${MARKS[status]} ${cell(headline(report))}`,
    '',
    cell(reason),
    '',
    ...(dimensions.length === 0
      ? []
      : [
          `| dimension | tests | ${cell(sideText(baseline))} | ${cell(sideText(candidate))} | difference | p | verdict |`,
          '|---|---:|---:|---:|---:|---:|---|',
          ...dimensions.map(
            (row) =>
              `| ${cell(row.dimension)} | ${row.n} | ${row.meanBaseline.toFixed(1)} | ${row.meanCandidate.toFixed(1)} | ${differenceText(row)} | ${row.adjustedPValue.toFixed(4)} | ${row.verdict} |`,
          ),
          '',
        ]),
    ...(worse.length === 0
      ? []
      : [
          '| test | before | now |',
          '|---|---|---|',
          ...worse
            .slice(0, MAX_LISTED)
            .map(
              (one) =>
                `| ${cell(one.title)}${one.golden ? ' (golden)' : ''} | ${cell(scoreText(one.baseline))} | ${cell(scoreText(one.candidate))} |`,
            ),
          ...(worse.length > MAX_LISTED ? ['', `and ${worse.length - MAX_LISTED} more.`] : []),
          '',
        ]),
  ].join('\n')
}

/** Text in one cell: none of it is interpreted as Markdown or HTML. */
function cell(text: string): string {
  return escapeMarkup(text.replace(/[\r\n]+/g, ' ')).replace(/[\\`*_{}[\]|#~]/g, (character) => `\\${character}`)
}
