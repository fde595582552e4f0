import type { PromptAccess } from '../access.js'
import type { ScorePair } from '../compare/compare-scores.js'
import { LATEST, PRODUCTION } from '../labels/label-name.js'
import { loadTemplate } from '../labels/resolve-label.js'
import type { Scores } from '../scoring/scores.js'
import { chosenTests, type PromptTestMinion } from '../testing/prompt-test.js'
import type { VersionChoice } from '../versions/version-reference.js'
import { GATE_STATUSES, type GateCase, type GateDimension, type GateOutcome, type GateReport } from './gate-report.js'
import { findSide } from './gate-sides.js'
import { judgeDimensions, type VerdictOptions } from './gate-verdict.js'
import { type CaseOptions, runCases } from './run-cases.js'

export interface GateOptions extends CaseOptions, VerdictOptions {
  /** The baseline that must not be undercut: a label, or the number or id of a version. Default: `production`. */
  readonly baseline?: VersionChoice | undefined
  /** The candidate, named the same way. Default: `latest`. */
  readonly candidate?: VersionChoice | undefined
  /** Ids of the tests to run. Default: all tests of the prompt. */
  readonly tests?: readonly string[] | undefined
}

/**
 * Compares a candidate with a baseline on the tests of a prompt. Writes nothing. A golden test that the candidate does
 * not pass is a regression by itself. Where tests are judged by their assertions on the rendered prompt, the outcome is
 * deterministic, and every test that passed before and fails now is one; otherwise statistics decide. Throws
 * `EVALUATION_FAILED` with the test, and `RUN_CANCELLED`.
 */
export async function gatePrompt(access: PromptAccess, id: string, options: GateOptions): Promise<GateReport> {
  const { baseline: from = PRODUCTION, candidate: to = LATEST, tests: ids, ...rest } = options
  const prompt = await loadTemplate(access, id)
  const name = (await access.lookup.names([prompt.id])).get(prompt.id) ?? null
  const [baseline, candidate] = [await findSide(access, prompt, from), await findSide(access, prompt, to)]
  const tests = await chosenTests(access, prompt.id, ids)
  const exact = !options.answer && !options.evaluate
  const said = (side: typeof baseline, named: VersionChoice) =>
    side?.said ?? { id: prompt.id, version: null, named: String(named) }
  const report = (
    status: GateReport['status'],
    reason: string,
    cases: GateCase[] = [],
    dimensions: GateDimension[] = [],
  ) => ({
    status,
    exitCode: GATE_STATUSES[status],
    reason,
    prompt: { id: prompt.id, name, title: prompt.title },
    baseline: said(baseline, from),
    candidate: said(candidate, to),
    exact,
    dimensions,
    cases,
  })
  if (!baseline || !candidate) {
    const missing = baseline ? to : from
    return report('incomparable', `"${prompt.title}" has neither a label nor a version "${missing}".`)
  }
  if (tests.length === 0) return report('incomparable', `"${prompt.title}" has no tests to compare versions on.`)
  const [before = [], after = []] = await runCases([baseline, candidate], tests, rest)
  const cases = tests.map((test, index) => caseOf(test, before[index] as GateOutcome, after[index] as GateOutcome))
  const pairs = cases.flatMap(
    ({ baseline: { error, scores: a }, candidate: { error: other, scores: b } }): ScorePair[] =>
      error === undefined && other === undefined ? [{ a: a as Scores, b: b as Scores }] : [],
  )
  const isShared = pairs.some(({ a, b }) => Object.keys(a).some((dimension) => dimension in b))
  const dimensions = isShared ? judgeDimensions(pairs, options) : []
  const lost = cases.filter((one) => isLost(one, exact))
  if (lost.length > 0) return report('regressed', lostReason(lost), cases, dimensions)
  if (exact && isShared) return report('passed', `All ${cases.length} tests do as well as before.`, cases, dimensions)
  if (dimensions.length === 0) return report('incomparable', 'No test has scores for both versions.', cases)
  return report(...verdictOf(dimensions), cases, dimensions)
}

/**
 * Golden tests must pass; if the outcome is deterministic, so must tests that passed before; and prompts that could be
 * rendered must still render.
 */
function isLost({ golden, baseline, candidate }: GateCase, exact: boolean): boolean {
  if (candidate.error !== undefined && baseline.error === undefined) return true
  return !candidate.passed && (golden || (exact && baseline.passed))
}

function lostReason(lost: readonly GateCase[]): string {
  const names = lost.slice(0, 3).map(({ title, golden, candidate }) => {
    const kind = golden ? 'golden test' : 'test'
    return `${kind} "${title}" ${candidate.error === undefined ? 'fails' : 'cannot be rendered'}`
  })
  return `${names.join(', ')}${lost.length > 3 ? ` and ${lost.length - 3} more` : ''}.`.replace(/^./, (letter) =>
    letter.toUpperCase(),
  )
}

function verdictOf(dimensions: readonly GateDimension[]): [GateReport['status'], string] {
  const points = ({ dimension, meanDifference }: GateDimension) =>
    `${dimension} by ${Math.abs(meanDifference).toFixed(1)} points`
  const regressed = dimensions.filter(({ verdict }) => verdict === 'regressed')
  if (regressed.length > 0) return ['regressed', `It got worse in ${regressed.map(points).join(' and ')}.`]
  const open = dimensions.filter(({ verdict }) => verdict === 'inconclusive')
  if (open.length === 0) return ['passed', 'It is not worse in any dimension.']
  const names = open.map(({ dimension }) => dimension).join(', ')
  return ['inconclusive', `There are too few tests to decide about ${names}; add tests, or repeat them.`]
}

function caseOf(test: PromptTestMinion, baseline: GateOutcome, candidate: GateOutcome): GateCase {
  const golden = test.fields.golden === true
  return {
    testId: test.id,
    title: test.title,
    golden,
    baseline,
    candidate,
    change: changeOf(golden, baseline, candidate),
  }
}

function changeOf(golden: boolean, baseline: GateOutcome, candidate: GateOutcome): GateCase['change'] {
  if (golden && !candidate.passed) return 'failed'
  if (baseline.passed !== candidate.passed) return candidate.passed ? 'better' : 'worse'
  const sum = ({ scores }: GateOutcome) => Object.values(scores).reduce((total, score) => total + score, 0)
  const difference = sum(candidate) - sum(baseline)
  return difference === 0 ? 'same' : difference > 0 ? 'better' : 'worse'
}
