import { guarded } from '@minions/core/plugin'
import type { GateCase, GateDimension, GateOutcome, GateReport } from '../gate/gate-report.js'

/** A function for callers outside that writes reports as a text. */
export function reporter(name: string, write: (reports: readonly GateReport[]) => string): typeof write {
  return guarded(name, write, { checksInside: true })
}

/** One line: what was compared, and the outcome. */
export function headline({ status, prompt, baseline, candidate }: GateReport): string {
  return `${prompt.name ?? prompt.title}: ${sideText(candidate)} against ${sideText(baseline)}: ${status}`
}

export function sideText({ named, version, id }: GateReport['baseline']): string {
  const number = version === null ? id : `v${version}`
  return named === String(version) || named === number ? number : `${named} (${number})`
}

/** A test that fails the gate by itself, or got worse. */
export function isWorse({ change }: GateCase): boolean {
  return change === 'worse' || change === 'failed'
}

export function scoreText({ scores, error }: GateOutcome): string {
  if (error !== undefined) return error
  return Object.entries(scores)
    .map(([dimension, score]) => `${dimension} ${score}`)
    .join(', ')
}

export function differenceText({ meanDifference }: Pick<GateDimension, 'meanDifference'>): string {
  return `${meanDifference > 0 ? '+' : ''}${meanDifference.toFixed(2)}`
}
