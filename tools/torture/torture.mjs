// @ts-check
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../packages.mjs'
import { storeResults } from './results.mjs'
import { scenarios } from './scenarios.mjs'

const usage = `Maltreats stores for as long as you like and checks that nothing acknowledged is ever lost.

  npm run torture                          every scenario, with 200 kills each, 50 of readers and servers
  npm run torture -- --kills 1000 sqlite   those whose name contains "sqlite"
  npm run torture -- feed                  those about the change feed
  npm run torture -- server                those about \`minions serve\`
  npm run torture -- --seed 42             the same again

PostgreSQL takes part when MINIONS_TEST_POSTGRES_URL names a server. Scenarios:
${scenarios.map(({ name }) => `  ${name}`).join('\n')}`

const { values, positionals } = readArguments()
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kills = values.kills === undefined ? undefined : Number(values.kills)
const chosen = scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (chosen.length === 0 || !Number.isInteger(seed) || !isCount(kills ?? 1)) refuse()

console.log(`seed ${seed}`)
let [passed, failed, skipped] = [0, 0, 0]
/** @type {import('./results.mjs').Row[]} */
const rows = []
for (const { name, run, kills: usual = 200 } of chosen) {
  const started = Date.now()
  const planned = kills ?? usual
  const onProgress = (/** @type {number} */ done) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${name}: ${done} of ${planned} killed`)
  }
  try {
    const outcome = await run({ seed, kills: planned, onProgress })
    if (typeof outcome === 'string') {
      skipped += 1
      console.log(`\r${name}: skipped, ${outcome}`)
    } else {
      passed += 1
      rows.push({ scenario: name, seed, ...outcome, lost: false })
      const seconds = ((Date.now() - started) / 1000).toFixed(0)
      console.log(`\r${name}: ${outcome.kills} killed ${summary(outcome)} (${seconds} s)`)
    }
  } catch (error) {
    failed += 1
    rows.push({ scenario: name, seed, kills: planned, lost: true })
    console.log(`\r${name}: LOST with seed ${seed}`)
    console.error(error)
  }
}
console.log(failed === 0 ? 'Nothing was lost.' : `Run again with --seed ${seed} to see the loss.`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1
storeResults(rows)
spawnSync(process.execPath, [join(root, 'tools/docs/generate.mjs')], { stdio: 'inherit' })

/** @param {import('./scenarios.mjs').Outcome} outcome */
function summary(outcome) {
  if ('changes' in outcome) {
    const { changes, median, p99 } = outcome
    return `and gone on, all ${changes} changes heard once; median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  }
  const { least, median, most } = outcome.beforeKill
  return `after ${least} to ${most} acknowledged writes (median ${median}), all ${outcome.acknowledged} survived`
}

/** @param {number} value */
function isCount(value) {
  return Number.isInteger(value) && value > 0
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        kills: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch {
    return refuse()
  }
}

/** @returns {never} */
function refuse() {
  console.error(usage)
  process.exit(2)
}
