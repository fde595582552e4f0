// @ts-check
import { expect, test } from 'vitest'
import { lastScreen, runReport } from '../last-screen.mjs'
import { emptySummary, summarize } from '../summary.mjs'

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

test('skips are counted by reason, and named in the report', () => {
  const meta = { needs: 'a server: set URL' }
  const needy = ['one', 'two'].map((fullName) => ({ fullName, status: 'skipped', meta }))
  const others = file(['three', 'skipped'], ['four', 'todo'])
  const assertionResults = [...others.assertionResults, ...needy]
  const summary = summarize([suite], () => ({ testResults: [{ ...others, assertionResults }] }))
  expect(lastScreen(summary, 'r.txt')).toEqual([
    'skipped: 2 that need a server: set URL',
    'skipped: 1 without a reason',
    'skipped: 1 yet to be written',
    'every name: r.txt',
    '0 passed, 0 failed, 4 skipped',
  ])
  expect(runReport(summary)).toMatch(/^skipped, that need a server: set URL: a .*x.test.ts: one$/m)
})

test('the last screen fits 40 lines, whatever happened', () => {
  const many = Array.from({ length: 558 }, (_, index) => `${index} ${'x'.repeat(100)}\nand more`)
  const skips = many.map((reason) => ({ test: 'x', reason }))
  const summary = { ...emptySummary(), failed: 558, skipped: 558, failures: many, skips }
  const screen = lastScreen(summary, 'r.txt', 80).join('\n').split('\n')
  expect(screen.length).toBeLessThanOrEqual(40)
  expect(Math.max(...screen.map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(screen).toContain(`failed: 0 ${'x'.repeat(69)}…`)
  expect(screen).toContain('and 534 more failures')
  expect(screen.at(-1)).toBe('0 passed, 558 failed, 558 skipped')
})
