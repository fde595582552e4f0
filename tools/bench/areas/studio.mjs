// @ts-check
// The Studio as a person has it: the real command, a real browser, a large store and a large mission.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createMinions } from '@minions/host'
import { root } from '../../packages.mjs'
import { executablePath } from '../../test/browser/chromium.mjs'
import { endCommand, Bench as StudioBench, storageOf } from '../../test/browser/studio/studio.mjs'
import { describe } from '../measure.mjs'
import { gatedMission } from '../studio/gated-mission.mjs'

/** @import { Page } from 'playwright-core' */
/** @import { Bench } from '../area.mjs' */

const ROWS = 100_000
const TASKS = 1_000
const ROUNDS = 9
const STEPS = 20
const FROM = 'what a person notices'

/** @param {Bench} bench */
export default async function (bench) {
  if (executablePath === undefined) {
    bench.leaveOut({ name: 'the Studio in a browser', note: 'Chromium is not installed' })
    return
  }
  const studio = new StudioBench()
  try {
    await studio.open()
    await start(bench, studio)
    await rows(bench, studio)
    await mission(bench, studio)
  } finally {
    await studio.close()
  }
  const web = join(root, 'packages/studio/dist/web/assets')
  const bytes = readdirSync(web)
    .filter((name) => name.endsWith('.js'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(web, name))).length, 0)
  bench.value({ name: 'all scripts, gzip', value: bytes / 1024, unit: 'KB', bar: 600, from: 'a limit' })
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
    from: FROM,
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

/** @param {Bench} bench @param {StudioBench} studio */
async function rows(bench, studio) {
  const storage = `sqlite:${join(studio.folder, 'large.db')}`
  const app = await createMinions({ storage, plugins: [] })
  for (let begin = 0; begin < ROWS; begin += 10_000) {
    const inputs = Array.from({ length: 10_000 }, (_, index) => ({
      title: `Row ${begin + index}`,
      fields: { content: `batch ${index % 97}` },
    }))
    await app.createMany('note', inputs)
  }
  await app.close()
  const url = await studio.studio(storage)
  const { page, close } = await studio.tab('/', url)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const { origin } = new URL(url)
  for (const [order, what] of [
    ['', 'in the usual order'],
    ['&order=title', 'by title'],
    ['&order=-updatedAt', 'by their last change'],
  ]) {
    const times = []
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto(`${origin}/studio/objects?type=note${order}`)
      times.push(await whenShown(page, 'main [role=row] a', 1))
    }
    bench.value({
      name: `first rows of 100,000 objects ${what}, from the beginning of the page's load`,
      value: describe(times).median,
      unit: 'ms',
      bar: 300,
      from: FROM,
      note: `median of ${ROUNDS}; the slowest ${Math.max(...times).toFixed(0)} ms`,
    })
  }
  await close()
}

/** @param {Bench} bench @param {StudioBench} studio */
async function mission(bench, studio) {
  const storage = `sqlite:${join(studio.folder, 'mission.db')}`
  const running = await gatedMission({ folder: studio.folder, storage, tasks: TASKS })
  const url = await studio.studio(storage)
  const { page, close } = await studio.tab(`/missions/${running.id}`, url)
  const done = (/** @type {number} */ count) => page.getByText(new RegExp(`^${count} of 1,?000 tasks done`))
  let completed = 1
  await done(completed).waitFor()
  const times = []
  for (let step = 0; step < STEPS; step++) {
    while (!running.isWaiting()) await sleep(1)
    const begun = performance.now()
    running.release()
    await done(++completed).waitFor()
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  bench.value({
    name: `a mission of 1,000 tasks: from the end of a task to the page, the slowest of ${STEPS}`,
    value: times.at(-1) ?? Number.NaN,
    unit: 'ms',
    bar: 500,
    from: FROM,
    note: `median ${describe(times).median.toFixed(0)} ms; the task's commit included`,
  })
  const frames = page.evaluate(`new Promise((resolve) => {
    let frames = 0
    const begun = performance.now()
    const count = () => {
      frames += 1
      const seconds = (performance.now() - begun) / 1000
      if (seconds < 8) requestAnimationFrame(count)
      else resolve(frames / seconds)
    }
    requestAnimationFrame(count)
  })`)
  let released = 0
  for (const until = performance.now() + 8000; performance.now() < until; released++) {
    running.release()
    await sleep(50)
  }
  bench.value({
    name: 'frames a second meanwhile',
    value: /** @type {number} */ (await frames),
    unit: '/s',
    bar: 30,
    atLeast: true,
    from: FROM,
    note: `${released} tasks ended in 8 s`,
  })
  await close()
  await running.finish()
}

/** Milliseconds from the beginning of a page's load to a number of elements. @param {Page} page @param {string} selector @param {number} count */
async function whenShown(page, selector, count) {
  return /** @type {Promise<number>} */ (
    page.evaluate(`new Promise((resolve) => {
      const look = () => {
        if (document.querySelectorAll(${JSON.stringify(selector)}).length >= ${count}) resolve(performance.now())
        else requestAnimationFrame(look)
      }
      look()
    })`)
  )
}
