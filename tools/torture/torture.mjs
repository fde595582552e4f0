// @ts-check
/**
 * Maltreats stores for as long as you like and checks that nothing acknowledged is ever lost.
 *
 *   npm run torture                          every scenario, 200 kills each
 *   npm run torture -- --kills 1000 sqlite   those whose name contains "sqlite"
 *   npm run torture -- --seed 42             the same again
 */
import { parseArgs } from 'node:util'
import { scenarios } from './scenarios.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, kills: { type: 'string', default: '200' } },
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const kills = Number(values.kills)
const chosen = scenarios.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
)
if (chosen.length === 0 || !Number.isInteger(seed) || !Number.isInteger(kills)) {
  console.error(`There is: ${scenarios.map(({ name }) => `\n  ${name}`).join('')}`)
  process.exit(2)
}

console.log(`seed ${seed}, ${kills} kills a scenario`)
let [passed, failed, skipped] = [0, 0, 0]
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
      const seconds = ((Date.now() - started) / 1000).toFixed(0)
      console.log(
        `\r${name}: ${outcome.kills} killed, ${outcome.acknowledged} acknowledged writes all there (${seconds} s)`,
      )
    }
  } catch (error) {
    failed += 1
    console.log(`\r${name}: LOST with seed ${seed}`)
    console.error(error)
  }
}
console.log(failed === 0 ? 'Nothing was lost.' : `Run again with --seed ${seed} to see the loss.`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
process.exitCode = failed === 0 ? 0 : 1
