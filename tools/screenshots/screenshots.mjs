// @ts-check
// Pictures of the Studio for the READMEs: `npm run screenshots`. The mission in them is under way, with its workers held.
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { root } from '../packages.mjs'
import { executablePath } from '../test/browser/chromium.mjs'
import { holdMission } from '../test/browser/studio/hold-mission.mjs'
import { Bench } from '../test/browser/studio/studio.mjs'

/** @import { Page } from 'playwright-core' */

const target = argv[2] ?? join(root, 'docs/studio')

if (executablePath === undefined) {
  console.log('screenshots: there is no Chromium on the PATH, so no pictures were taken')
} else {
  const bench = new Bench()
  try {
    await takeAll(bench)
  } finally {
    await bench.close()
  }
}

/** @param {Bench} bench */
async function takeAll(bench) {
  mkdirSync(target, { recursive: true })
  await bench.open()
  const mission = randomUUID()
  // Two workers are done, two are at work.
  const { app, ended } = await holdMission(bench.folder, { mission_id: mission }, { free: 2 })
  const { page, close } = await bench.tab(`/missions/${mission}`)
  await page.getByText('worker · running').nth(1).waitFor()
  await take(page, 'mission')
  const prompt = await bench.tab('/prompts/colony-prompt-worker?view=versions')
  await prompt.page.getByText('Say how sure you are').first().waitFor()
  await take(prompt.page, 'prompt')
  const overview = await bench.tab('/')
  await overview.page.getByText('No problems found').waitFor()
  await take(overview.page, 'overview')
  await Promise.all([close(), prompt.close(), overview.close()])
  await app.close()
  await ended.catch(() => undefined)
}

/** @param {Page} page @param {string} name */
async function take(page, name) {
  // Pictures that differ only in a blinking caret would be changes every time.
  await page.screenshot({ path: join(target, `${name}.png`), caret: 'hide', animations: 'disabled' })
  console.log(`screenshots: ${join(target, `${name}.png`)}`)
}
