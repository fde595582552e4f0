// @ts-check
import { expect, test } from 'vitest'
import { summarize } from '../summary.mjs'

/** @param {[string, string][]} tests full name and status */
const file = (...tests) => ({
  name: '/x.test.ts',
  status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
})
const suite = { projectName: 'a', target: 'test', status: 0 }

test('tests count one by one, other checks as one, builds not at all', () => {
  const tasks = [{ ...suite, target: 'compile' }, { ...suite, target: 'typecheck' }, suite]
  const report = { testResults: [file(['one', 'passed'], ['two', 'pending'], ['three', 'todo'])] }
  expect(summarize(tasks, () => report)).toMatchObject({ passed: 2, failed: 0, skipped: 2 })
})

test('a failed test is named', () => {
  const summary = summarize([{ ...suite, status: 1 }], () => ({
    testResults: [file(['one', 'failed'], ['two', 'passed'])],
  }))
  expect(summary).toMatchObject({ passed: 1, failed: 1 })
  expect(summary.failures[0]).toContain('one')
})

test.each([
  ['a build that failed', { ...suite, target: 'compile', status: 1 }, undefined],
  ['a suite that failed without a report', { ...suite, status: 1 }, undefined],
  ['a suite that succeeded without a report', suite, undefined],
  ['a suite that did not run', { ...suite, status: /** @type {const} */ ('not run') }, undefined],
  ['a suite that failed with every test green', { ...suite, status: 1 }, { testResults: [file()] }],
  ['a file that did not load', { ...suite, status: 1 }, { testResults: [{ ...file(), status: 'failed' }] }],
])('%s counts as one failure', (_, task, report) => {
  expect(summarize([task], () => report)).toMatchObject({ passed: 0, failed: 1, skipped: 0 })
})
