// @ts-check
// Makes the calls: one process for a range of targets, which its parent ends when a call blocks it. It writes each step to
// descriptor 3 before it takes it, without delay, so that the parent knows where it hangs.
import { writeSync } from 'node:fs'
import { argv } from 'node:process'
import { watchStrays } from './attempt.mjs'
import { describeCase, mutationsOf, Scene, tryCase } from './cases.mjs'
import { pickCases } from './pick.mjs'
import { findTargets } from './targets.mjs'
import { startWatchdog } from './watchdog.mjs'

/** @import { Finding } from './cases.mjs' */
/** @import { Target } from './targets.mjs' */
/**
 * @typedef {{ seed: number, quick: boolean, share?: number | undefined, only?: string | undefined, lane: number, lanes: number, from: number, skip: number, fate?: string }} Order
 *   every target with the number of the lane; `skip` cases of the target `from` were done by an earlier process, the last of
 *   which was its end if there is a `fate`
 * @typedef {{ kind: 'found', targets: string[], problems: string[] }
 *   | { kind: 'case', target: number, index: number } | { kind: 'finding', finding: Finding }
 *   | { kind: 'left', target: number } | { kind: 'blocked' } | { kind: 'done' }} Step
 */

/** More calls that do not end are not waited for at one position. */
const MOST_ENDLESS = 1

/** @type {Order} */
const order = JSON.parse(argv[2] ?? '{}')
watchStrays()
startWatchdog()
const { targets, problems } = await findTargets()
const wanted = targets.filter(({ name }) => order.only === undefined || name.includes(order.only))
say({ kind: 'found', targets: wanted.map(({ name }) => name), problems })
for (let index = order.from; index < wanted.length; index++) {
  if (index % order.lanes !== order.lane) continue
  const isLeft = await tryTarget(/** @type {Target} */ (wanted[index]), index, index === order.from ? order.skip : 0)
  // What has not ended may go on for ever, and would be in the way of the next target.
  if (isLeft) {
    say({ kind: 'left', target: index })
    process.exit(0)
  }
}
say({ kind: 'done' })
process.exit(0)

/**
 * Tries the cases of a target, and says whether calls of it have not ended.
 *
 * @param {Target} target @param {number} targetIndex @param {number} skip
 */
async function tryTarget(target, targetIndex, skip) {
  const scene = new Scene(target)
  let isLeft = false
  try {
    const unchanged = await tryCase(scene, [])
    if (target.valid !== undefined && unchanged !== undefined) {
      say({ kind: 'finding', finding: unchanged })
    }
    const byPosition = mutationsOf(target, await scene.args())
    let index = 0
    for (const cases of pickCases(target, byPosition, order)) {
      let endless = 0
      let isBlocked = false
      for (const mutations of cases) {
        index++
        if (index === skip && order.fate !== undefined) {
          const { fate } = order
          say({ kind: 'finding', finding: { ...describeCase(target, mutations), kind: 'slow', error: fate } })
          isBlocked = true
        }
        if (index <= skip || endless > MOST_ENDLESS || (isBlocked && mutations.some(({ isHuge }) => isHuge))) continue
        say({ kind: 'case', target: targetIndex, index })
        const finding = await tryCase(scene, mutations)
        if (finding?.kind === 'endless') {
          endless++
          isLeft = true
        }
        if (finding !== undefined) say({ kind: 'finding', finding })
      }
      if (!order.quick) await scene.close()
    }
  } finally {
    await scene.close()
  }
  return isLeft
}

/** @param {Step} step */
function say(step) {
  writeSync(3, `${JSON.stringify(step)}\n`)
}
