// @ts-check
// The fuzz of everything that can be called: `npm run fuzz -- api`. Every function that a package exports, every method of
// its classes and of an app, and every operation is called with hostile values, one at a time and in combination, in every
// argument and every property of one. A call must end within a second, well or with a `MinionsError`.
// `npm run fuzz -- api prompts` tries what has that in its name; `MINIONS_FUZZ_SEED` repeats the combinations of a run.
import { env } from 'node:process'
import { reportProblems } from '../../report.mjs'
import { acceptFindings } from './exceptions.mjs'
import { describeFindings } from './findings.mjs'
import { runCases } from './supervise.mjs'

/** Tries everything, with progress, and reports what leaked. @param {string | undefined} only */
export async function fuzzApi(only) {
  const seed = Number(env.MINIONS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const { findings, problems, targets, cases } = await runCases({
    seed,
    quick: false,
    only,
    onTarget: (name, done) => {
      if (done % 20 === 0) console.log(`${done}: ${name}`)
    },
  })
  const { left, unused } = acceptFindings(findings, targets)
  problems.push(...describeFindings(left), ...(only === undefined ? unused : []))
  // A run that called nothing must not count as one that found nothing.
  if (cases === 0) problems.push(`nothing was called${only === undefined ? '' : `; nothing is named ${only}`}`)
  reportProblems('fuzz', problems, `seed ${seed}, ${cases} calls of ${targets.length} functions without a leak`)
}
