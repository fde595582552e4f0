// @ts-check
// The Studio as a person has it: the real command, a real browser, a large store and a large mission.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../../packages.mjs'
import { executablePath } from '../../test/browser/chromium.mjs'
import { endCommand, Bench as StudioBench, storageOf } from '../../test/browser/studio/studio.mjs'
import { describe } from '../measure.mjs'
import { DEADLINE } from '../studio/deadline.mjs'
import { largeTable } from '../studio/large-table.mjs'
import { watchedMission } from '../studio/watched-mission.mjs'

/** @import { Bench } from '../area.mjs' */

const ROUNDS = 9
const WEB = join(root, 'packages/studio/dist/web/assets')

/** @param {Bench} bench */
export default async function (bench) {
  if (executablePath === undefined) {
    bench.leaveOut({ name: 'the Studio in a browser', note: 'Chromium is not installed' })
    return
  }
  const studio = new StudioBench({ patience: DEADLINE })
  try {
    await studio.open()
    await start(bench, studio)
    await largeTable(bench, studio)
    await watchedMission(bench, studio)
  } finally {
    await studio.close()
  }
  bench.value({ name: 'all scripts, gzip', value: gzipOf('.js') / 1024, unit: 'KB', bar: 600, from: 'a limit' })
}

/** From the command to an overview that can be used. @param {Bench} bench @param {StudioBench} studio */
async function start(bench, studio) {
  const times = []
  let script = 0
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    const { child, printed } = await studio.start('studio', storageOf(studio.folder), '--no-open')
    const { page, close } = await studio.tab('/', printed.url)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    times.push((performance.now() - begun) / 1000)
    script = /** @type {number} */ (
      await page.evaluate(
        "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('.js')).reduce((sum, e) => sum + e.encodedBodySize, 0)",
      )
    )
    await close()
    await endCommand(child)
  }
  bench.value({
    name: 'from `minions studio` to its first page, a new browser window included',
    value: describe(times).median,
    unit: 's',
    bar: 3,
    from: 'what a person notices',
    note: `median of ${ROUNDS}; the slowest ${Math.max(...times).toFixed(2)} s`,
  })
  bench.value({
    name: 'script of the first page, compressed',
    value: script / 1024,
    unit: 'KB',
    bar: 170,
    from: 'a limit',
  })
}

/** Bytes of all files with an ending, compressed. @param {string} ending */
function gzipOf(ending) {
  const files = readdirSync(WEB).filter((name) => name.endsWith(ending))
  return files.reduce((sum, name) => sum + gzipSync(readFileSync(join(WEB, name))).length, 0)
}
