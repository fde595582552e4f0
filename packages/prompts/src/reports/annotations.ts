import type { GateReport } from '../gate/gate-report.js'
import { headline, isWorse, reporter, scoreText } from './words.js'

/**
 * Reports as workflow commands, which GitHub shows as annotations: one line for each verdict and each test that got
 * worse.
 */
export const gateAnnotations = reporter('gateAnnotations', (reports) => reports.map(commandsOf).join(''))

function commandsOf(report: GateReport): string {
  const level = { passed: 'notice', regressed: 'error', inconclusive: 'warning', incomparable: 'error' }[report.status]
  const lines = [
    command(level, headline(report), report.reason),
    ...report.cases
      .filter(isWorse)
      .map((one) =>
        command(
          one.change === 'failed' ? 'error' : 'warning',
          one.golden ? `${one.title} (golden)` : one.title,
          `before: ${scoreText(one.baseline)}\nnow: ${scoreText(one.candidate)}`,
        ),
      ),
  ]
  return `${lines.join('\n')}\n`
}

/** Line breaks are encoded, so that no text can end the command or start another. */
function command(level: string, title: string, message: string): string {
  return `::${level} title=${property(title)}::${data(message)}`
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
