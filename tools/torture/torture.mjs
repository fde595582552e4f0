// @ts-check
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../packages.mjs'
import { storeResults } from './results.mjs'
import { scenarios } from './scenarios.mjs'

const usage = `Maltreats stores for as long as you like and checks that nothing acknowledged is ever lost.

  npm run torture                          every scenario, 200 kills each
  npm run torture -- --kills 1000 sqlite   those whose name contains "sqlite"
  npm run torture -- --seed 42             the same again

PostgreSQL takes part when MINIONS_TEST_POSTGRES_URL names a server. Scenarios:
${scenarios.map(({ name }) => `  ${name}`).join('\n')}`

const { values, positionals } = readArguments()
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kills = Number(values.kills)
const chosen = scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (chosen.length === 0 || !Number.isInteger(seed) || !(Number.isInteger(kills) && kills > 0)) refuse()

console.log(`seed ${seed}, ${kills} kills a scenario`)
let [passed, failed, skipped] = [0, 0, 0]
/** @type {import('./results.mjs').Row[]} */
const rows = []
for (const { name, run } of chosen) {
  const started = Date.now()
  const onProgress = (/** @type {number} */ done) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${name}: ${done} of ${kills} killed`)
  }
  try {
    const outcome = await run({ seed, kills, onProgress })
    if (typeof outcome === 'string') {
      skipped += 1
      console.log(`\r${name}: skipped, ${outcome}`)
    } else {
      passed += 1
      rows.push({ scenario: name, seed, ...outcome, lost: false })
      const { least, median, most } = outcome.beforeKill
      const seconds = ((Date.now() - started) / 1000).toFixed(0)
      console.log(
        `\r${name}: ${outcome.kills} killed after ${least} to ${most} acknowledged writes (median ${median}),`,
        `all ${outcome.acknowledged} survived (${seconds} s)`,
      )
    }
  } catch (error) {
    failed += 1
    rows.push({ scenario: name, seed, kills, lost: true })
    console.log(`\r${name}: LOST with seed ${seed}`)
    console.error(error)
  }
}
console.log(failed === 0 ? 'Nothing was lost.' : `Run again with --seed ${seed} to see the loss.`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1
storeResults(rows)
spawnSync(process.execPath, [join(root, 'tools/docs/generate.mjs')], { stdio: 'inherit' })

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        kills: { type: 'string', default: '200' },
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
