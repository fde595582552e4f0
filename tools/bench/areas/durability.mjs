// @ts-check
// What the runs that break things said last: `npm run mutate` and `npm run torture` write it down.
import { join } from 'node:path'
import { readJson, root } from '../../packages.mjs'
import { readResults } from '../../torture/results.mjs'

/** @import { Bench } from '../area.mjs' */

/** @param {Bench} bench */
export default async function (bench) {
  const { killed, mutants, seed } = readJson(join(root, 'tools/mutate/results.json'))
  bench.value({
    name: 'mutants of storage, lifecycle, leases and contracts that a test notices',
    value: (100 * killed) / mutants,
    unit: '%',
    bar: 85,
    atLeast: true,
    from: 'a suite that can be trusted',
    note: `${killed} of ${mutants}, seed ${seed}; survivors are explained in tools/mutate/SURVIVORS.md`,
  })
  for (const { scenario, kills, acknowledged = 0, lost } of readResults()) {
    if (!scenario.includes('of sixteen callers')) continue
    bench.value({
      name: `kills without the loss of an acknowledged write, ${scenario}`,
      value: lost ? 0 : kills,
      unit: 'kills',
      bar: 500,
      atLeast: true,
      from: 'nothing acknowledged is ever lost',
      note: `${acknowledged.toLocaleString('en')} writes acknowledged`,
    })
  }
}
