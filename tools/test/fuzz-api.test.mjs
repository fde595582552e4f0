// @ts-check
import { expect, it } from 'vitest'
import { acceptFindings } from '../fuzz/api/exceptions.mjs'
import { describeFindings } from '../fuzz/api/findings.mjs'
import { mutationsAt, positionsIn } from '../fuzz/api/positions.mjs'
import { runCases } from '../fuzz/api/supervise.mjs'

it('every argument is replaced, those that are left out too, and every property of one', () => {
  const args = [{ a: { b: 1 }, c: ['x', 'y'] }]
  expect(positionsIn(args, 2)).toEqual([[0], [0, 'a'], [0, 'a', 'b'], [0, 'c'], [0, 'c', 0], [1]])
  const [nothing] = mutationsAt(args, [0, 'a', 'b'])
  expect(nothing?.apply(args)).toEqual([{ a: { b: undefined }, c: ['x', 'y'] }])
  expect(args).toEqual([{ a: { b: 1 }, c: ['x', 'y'] }])
})

it('a combination is told only if none of its parts fails alone', () => {
  const one = { position: 'argument 1', value: 'NaN' }
  const other = { position: 'argument 2', value: 'a Map' }
  const third = { position: 'argument 2', value: 'a Set' }
  const leak = { target: 'f', kind: /** @type {const} */ ('leak'), error: 'TypeError' }
  const findings = [
    { ...leak, parts: [one] },
    { ...leak, parts: [one, other] },
    { ...leak, parts: [other, third] },
  ]
  expect(describeFindings(findings)).toEqual([
    'f: leak, TypeError (argument 1: NaN; argument 2: a Map with argument 2: a Set)',
  ])
})

it('a few calls of everything end well or with an error of ours', { timeout: 600_000 }, async () => {
  const { findings, problems, targets, cases } = await runCases({ seed: 1, quick: true, lanes: 2 })
  expect(problems).toEqual([])
  expect(targets.length).toBeGreaterThan(1000)
  expect(cases).toBeGreaterThan(2000)
  // How long a call takes, and which call an error belongs to that comes later, are matters of the whole run, on a machine
  // that does nothing else.
  const isTimely = (/** @type {{ kind: string, error: string }} */ { kind, error }) =>
    kind === 'message' || (kind === 'leak' && !error.startsWith('outside of the call'))
  const wrong = findings.filter(isTimely)
  expect(describeFindings(acceptFindings(wrong, targets).left)).toEqual([])
})
