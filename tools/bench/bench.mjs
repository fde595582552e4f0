// @ts-check
// Measures the areas named on the command line, or all but the longest: `npm run bench -- core memory`.
//
// An area is a file `areas/<area>.mjs`, which imports the built packages by name and exports one function:
//
//     export default async function (bench) {
//       await bench.compare({ name, ours: () => …, peer: () => …, peerName: 'ajv', bar: 0.5, from })  // our speed / the peer's
//       await bench.growth({ name, setup: (size) => () => …, bar: 2, from })                       // slowdown from 1,000 to 100,000
//       bench.value({ name, value: 12.3, unit: 'KB', bar: 40, from })                           // at most; `atLeast: true` turns it
//     }
//
// `from` says where the bar comes from, in a few words; draw inputs from `data.mjs`, never a constant one.
// The works may be asynchronous. `note` adds a remark to the row, `rounds` changes the number of rounds (15).
// Prints one table and writes results.json and RESULTS.md; areas that did not run keep their rows. A missed bar is shown
// as missed and is no error; an area that throws is.
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { argv, execPath } from 'node:process'
import { listFiles, root } from '../packages.mjs'
import { Bench } from './area.mjs'
import { readResults, storeResults } from './results.mjs'
import { terminalTable } from './table.mjs'

const known = listFiles(join(root, 'tools/bench/areas')).map((file) => file.replace(/\.mjs$/, ''))
/** Areas that take so long that they are only measured when they are named. */
const long = ['ci', 'loop']
const asked = argv.length > 2 ? argv.slice(2) : known.filter((area) => !long.includes(area))
const unknown = asked.filter((area) => !known.includes(area))
if (unknown.length > 0) {
  console.error(`No such area: ${unknown.join(', ')}. Areas: ${known.join(', ')}`)
  process.exit(2)
}

/** @type {Bench[]} */
const benches = []
for (const area of asked) {
  const bench = new Bench(area)
  try {
    const { default: run } = await import(`./areas/${area}.mjs`)
    await run(bench)
    benches.push(bench)
  } catch (error) {
    console.error(`${area}: broke off, its earlier rows are kept`, error)
    process.exitCode = 1
  }
}

const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, load average ${loadavg()[1]?.toFixed(0)}`
storeResults(
  benches.map(({ area }) => area),
  benches.flatMap(({ rows }) => rows),
  machine,
)
console.log(terminalTable(readResults().rows.filter((row) => asked.includes(row.area))))
spawnSync(execPath, [join(root, 'tools/docs/generate.mjs')], { stdio: 'inherit' })
