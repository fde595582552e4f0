// @ts-check
// The fuzz of everything that can be called: `npm run fuzz -- api`. Every function that a package exports, every method of
// its classes and of an app, and every operation is called with hostile values, one at a time and in combination, in every
// argument and every property of one. A call must end within a second, well or with a `MinionsError`.
// `npm run fuzz -- api prompts` tries what has that in its name; `MINIONS_FUZZ_SEED` repeats the combinations of a run.
import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { reportProblems } from '../../report.mjs'
import { acceptFindings, exceptionFor } from './exceptions.mjs'
import { describeFindings, groupOf } from './findings.mjs'
import { runCases } from './supervise.mjs'

/** Processes at once; each may take 3 GB when a call is hostile to memory. */
const LANES = Math.min(2, availableParallelism())
/** Seconds between two lines of progress. */
const INTERVAL = 30

/** Tries everything, with progress, and reports what leaked. @param {string | undefined} only */
export async function fuzzApi(only) {
  const seed = Number(env.MINIONS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`fuzz: seed ${seed}`)
  const begun = performance.now()
  /** What was told of already. @type {Set<string>} */
  const told = new Set()
  let begunTargets = 0
  let next = INTERVAL
  const seconds = () => Math.round((performance.now() - begun) / 1000)
  const { findings, problems, targets, cases } = await runCases({
    seed,
    quick: false,
    only,
    lanes: LANES,
    onTarget: (name, outcome) => {
      begunTargets++
      if (seconds() < next) return
      next = seconds() + INTERVAL
      const progress = `${begunTargets} of ${outcome.targets.length} functions, ${outcome.cases} calls`
      console.log(`${progress}, ${seconds()} s, ${told.size} problems: ${name}`)
    },
    // Told at once, so that a run that is interrupted was not in vain.
    onFinding: (finding) => {
      if (exceptionFor(finding) !== undefined || told.has(groupOf(finding))) return
      told.add(groupOf(finding))
      console.log(`found: ${describeFindings([finding])[0]}`)
    },
  })
  const { left, unused } = acceptFindings(findings, targets)
  problems.push(...describeFindings(left), ...(only === undefined ? unused : []))
  // A run that called nothing must not count as one that found nothing.
  if (cases === 0) problems.push(`nothing was called${only === undefined ? '' : `; nothing is named ${only}`}`)
  const calls = `${cases} calls of ${targets.length} functions`
  console.log(`fuzz: seed ${seed}, ${calls}, ${seconds()} s`)
  reportProblems('fuzz', problems, `seed ${seed}, ${calls} without a leak`)
}
