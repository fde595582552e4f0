// @ts-check
import { relative } from 'node:path'
import { root } from './packages.mjs'

/**
 * @typedef {{ projectName: string, target: string, status: number | 'not run' }} Task `status` is an exit code, a cached one too
 * @typedef {{ fullName: string, status: string, meta?: { needs?: string } }} Test `needs` is what it cannot run without
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Test[] }} TestFile
 * @typedef {{ testResults: TestFile[] }} Report as the JSON reporter of vitest writes it
 * @typedef {{ test: string, reason: string }} Skip
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], skips: Skip[] }} Summary
 */

/** @returns {Summary} */
export const emptySummary = () => ({ passed: 0, failed: 0, skipped: 0, failures: [], skips: [] })

/**
 * Adds up a run: each test of a suite counts, each other check counts as one test, and a build counts only if it failed.
 *
 * @param {Task[]} tasks
 * @param {(project: string) => Report | undefined} reportOf the report of a project's suites
 * @returns {Summary}
 */
export function summarize(tasks, reportOf) {
  const summary = emptySummary()
  for (const { projectName, target, status } of tasks) {
    const name = `${projectName} ${target}`
    const failedBefore = summary.failed
    const report = /^test\b/.test(target) ? reportOf(projectName) : undefined
    if (report) addReport(summary, projectName, report)
    else if (status === 0 && target.startsWith('test')) fail(summary, `${name} wrote no report`)
    else if (status === 0 && target !== 'compile') summary.passed += 1
    // A suite can end in failure with every test green: an unhandled rejection, say, or a crash.
    if (status !== 0 && summary.failed === failedBefore)
      fail(summary, status === 'not run' ? `${name} did not run` : name)
  }
  return summary
}

/**
 * @param {Summary} summary
 * @param {string} project
 * @param {Report} report
 */
function addReport(summary, project, report) {
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = `${project} ${relative(root, name)}`
    const failedBefore = summary.failed
    for (const test of assertionResults) {
      if (test.status === 'passed') summary.passed += 1
      else if (test.status === 'failed') fail(summary, `${file}: ${test.fullName}`)
      else skip(summary, { test: `${file}: ${test.fullName}`, reason: reasonOf(test) })
    }
    // A file that cannot be loaded fails without a single test.
    if (status === 'failed' && summary.failed === failedBefore) fail(summary, `${file}: ${message ?? 'did not load'}`)
  }
}

/** @param {Summary} summary @param {string} line */
function fail(summary, line) {
  summary.failed += 1
  summary.failures.push(line)
}

/** @param {Summary} summary @param {Skip} skipped */
function skip(summary, skipped) {
  summary.skipped += 1
  summary.skips.push(skipped)
}

/** @param {Test} test */
const reasonOf = ({ status, meta }) =>
  meta?.needs ? `that need ${meta.needs}` : status === 'todo' ? 'yet to be written' : 'without a reason'
