import type { GateCase, GateReport } from '../gate/gate-report.js'
import { escapeAttribute, escapeMarkup } from './escape.js'
import { headline, isWorse, reporter, scoreText } from './words.js'

/** Reports as JUnit XML: a suite for each prompt, with one case for each test and one for the verdict. */
export const gateJunit = reporter('gateJunit', (reports) => {
  const suites = reports.flatMap(suiteOf).map((line) => `${line}\n`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="prompts gate">\n${suites.join('')}</testsuites>\n`
})

function suiteOf(report: GateReport): string[] {
  const suite = report.prompt.name ?? report.prompt.title
  const cases = [
    ...report.cases.map((one) => testCase(suite, one.title, isWorse(one) ? problemOf(one) : undefined)),
    testCase(
      suite,
      headline(report),
      report.status === 'passed' ? undefined : { kind: report.status, text: report.reason },
    ),
  ]
  const failures = report.cases.filter(isWorse).length + (report.status === 'passed' ? 0 : 1)
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0"`
  return [`<testsuite name="${escapeAttribute(suite)}" ${counts}>`, ...cases, '</testsuite>']
}

interface Problem {
  readonly kind: string
  readonly text: string
}

function problemOf(one: GateCase): Problem {
  const text = [
    `baseline: ${scoreText(one.baseline)}`,
    `candidate: ${scoreText(one.candidate)}`,
    '',
    'baseline output:',
    one.baseline.output,
    '',
    'candidate output:',
    one.candidate.output,
  ].join('\n')
  return { kind: one.change === 'failed' ? 'golden' : 'worse', text }
}

function testCase(suite: string, name: string, problem: Problem | undefined): string {
  const open = `<testcase classname="${escapeAttribute(suite)}" name="${escapeAttribute(name)}" time="0"`
  if (!problem) return `${open}/>`
  const message = escapeAttribute(problem.text.split('\n')[0] ?? '')
  return `${open}><failure type="${problem.kind}" message="${message}">${escapeMarkup(problem.text)}</failure></testcase>`
}
