// @ts-check
// Pictures of the Studio for the READMEs: `npm run screenshots`. The mission in them is under way, with its workers held.
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { colony, deterministicRoles, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { root } from '../packages.mjs'
import { executablePath } from '../test/browser/chromium.mjs'
import { Bench, storageOf } from '../test/browser/studio/studio.mjs'

/** @import { Page } from 'playwright-core' */
/** @import { Roles } from '@minions/colony' */

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
  const { app, mission, ended } = await startMission(bench)
  const { page, close } = await bench.tab(`/missions/${mission}`)
  await page.getByText('worker · running').nth(1).waitFor()
  await take(page, 'mission')
  const prompt = await bench.tab('/prompts/colony-prompt-worker?view=versions')
  await prompt.page.getByText('Say how sure you are').first().waitFor()
  await take(prompt.page, 'prompt')
  const overview = await bench.tab('/')
  await overview.page.getByText('Nothing is wrong').waitFor()
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

/** Starts a mission of which two workers are done and two are at work. @param {Bench} bench */
async function startMission(bench) {
  const { worker, ...others } = deterministicRoles()
  let begun = 0
  /** @type {Roles} */
  const roles = {
    ...others,
    async worker(input, context) {
      if (++begun > 2) {
        await new Promise((_, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)))
      }
      return worker(input, context)
    },
  }
  const configDir = join(bench.folder, 'store')
  const app = await createMinions({
    storage: storageOf(bench.folder),
    plugins: [prompts(), workspace({ configDir, store: 'storage' }), colonyContracts(), skills(), colony({ roles })],
  })
  const mission = randomUUID()
  const ended = app.colony.run({ ...exampleMission.envelope, mission_id: mission, time_budget_ms: 600_000 })
  ended.catch(() => undefined)
  return { app, mission, ended }
}
