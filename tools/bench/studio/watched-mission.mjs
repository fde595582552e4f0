// @ts-check
// A mission of a thousand tasks that another process runs, watched in the page.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe } from '../measure.mjs'
import { withDeadline } from './deadline.mjs'
import { gatedMission } from './gated-mission.mjs'

/** @import { Bench } from '../area.mjs' */
/** @import { Bench as StudioBench } from '../../test/browser/studio/studio.mjs' */

const TASKS = 1_000
const STEPS = 20
const WATCHED = 8_000
const FROM = 'what a person notices'

/** @param {Bench} bench @param {StudioBench} studio */
export async function watchedMission(bench, studio) {
  const storage = `sqlite:${join(studio.folder, 'mission.db')}`
  const running = await gatedMission({ folder: studio.folder, storage, tasks: TASKS })
  try {
    const url = await studio.studio(storage)
    const { page, close } = await studio.tab(`/missions/${running.id}`, url)
    const done = (/** @type {number} */ count) => page.getByText(new RegExp(`(^|\\s)${count} of 1,?000 tasks done`))
    let completed = 0
    await done(completed).waitFor()
    const times = []
    for (let step = 0; step < STEPS; step++) {
      await withDeadline('a task to end', running.waiting())
      const begun = performance.now()
      running.release()
      await done(++completed).waitFor()
      times.push(performance.now() - begun)
    }
    bench.value({
      name: `a mission of 1,000 tasks: from the end of a task to the page, the slowest of ${STEPS}`,
      value: Math.max(...times),
      unit: 'ms',
      bar: 500,
      from: FROM,
      note: `median ${describe(times).median.toFixed(0)} ms; the task's commit included`,
    })
    const frames = withDeadline('frames to be counted', page.evaluate(countFrames), WATCHED * 4)
    let released = 0
    for (const until = performance.now() + WATCHED; performance.now() < until; ) {
      if (running.release()) released++
      await sleep(50)
    }
    bench.value({
      name: 'frames a second meanwhile',
      value: /** @type {number} */ (await frames),
      unit: '/s',
      bar: 30,
      atLeast: true,
      from: FROM,
      note: `${released} tasks ended in ${WATCHED / 1000} s`,
    })
    await close()
  } finally {
    await withDeadline('the mission to end', running.finish())
  }
}

const countFrames = `new Promise((resolve) => {
  let frames = 0
  const begun = performance.now()
  const count = () => {
    frames += 1
    const elapsed = performance.now() - begun
    if (elapsed < ${WATCHED}) requestAnimationFrame(count)
    else resolve((frames * 1000) / elapsed)
  }
  requestAnimationFrame(count)
})`
