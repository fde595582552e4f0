// @ts-check
// Missions that other processes run are watched as they run, and a server that goes away is waited for.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { colony, deterministicRoles, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { Bench, endCommand, expectAccessible, PATIENCE, run, storageOf } from './studio.mjs'

/** @import { Roles } from '@minions/colony' */

const bench = new Bench()

/** Runs a mission in this process, whose workers wait until they are let go. */
async function startMission() {
  /** @type {() => void} */
  let release = () => {}
  const released = new Promise((resolve) => {
    release = () => resolve(undefined)
  })
  const { worker, ...others } = deterministicRoles()
  /** @type {Roles} */
  const roles = {
    ...others,
    async worker(input, context) {
      await released
      return worker(input, context)
    },
  }
  const configDir = join(bench.folder, 'store')
  const app = await createMinions({
    storage: storageOf(bench.folder),
    plugins: [prompts(), workspace({ configDir, store: 'storage' }), colonyContracts(), skills(), colony({ roles })],
  })
  const envelope = {
    ...exampleMission.envelope,
    mission_id: randomUUID(),
    user_goal: 'Watch this one',
    time_budget_ms: 600_000,
  }
  return { app, release, ended: app.colony.run(envelope) }
}

describe.skipIf(executablePath === undefined)('missions in the Studio', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('are watched from start to end while another process runs them', { timeout: PATIENCE * 4 }, async () => {
    const { page, close } = await bench.tab('/missions')
    await page.getByRole('link', { name: exampleMission.envelope.user_goal }).waitFor()
    const { app, release, ended } = await startMission()
    await page.getByRole('link', { name: 'Watch this one' }).click()
    await page.getByRole('heading', { name: 'Watch this one' }).waitFor()
    const graph = page.getByRole('region', { name: 'Tasks of the mission' })
    await graph.getByText('worker · running').first().waitFor()
    await graph.getByText('aggregator · pending').waitFor()
    release()
    await page.getByText('9 of 9 tasks are done.').waitFor()
    await graph.getByText('reviewer · completed').waitFor()
    await graph.getByLabel('worker_02, worker, completed').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'task_worker_02' }).getByText('wrk_task_worker_02').waitFor()
    expect(page.url()).toContain('task=task_worker_02')
    expect((await ended).status).toBe('completed')
    await app.close()
    await expectAccessible(page)
    await close()
  })

  it('lead from a claim to its evidence, and from an artifact to what it rests on', {
    timeout: PATIENCE * 2,
  }, async () => {
    const { mission_id } = exampleMission.envelope
    const { page, close } = await bench.tab(`/missions/${mission_id}?view=evidence`)
    await page.getByRole('button', { name: 'wrk_task_worker_01' }).click()
    await page.getByRole('region', { name: 'Evidence' }).getByText('Mara Lindqvist').first().waitFor()
    await page.getByRole('tab', { name: 'Artifacts' }).click()
    await page.getByRole('button', { name: /agg_task_aggregate/ }).click()
    await page.getByRole('button', { name: 'wrk_task_worker_02', exact: true }).click()
    expect(page.url()).toContain('artifact=wrk_task_worker_02')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByText('task_review').waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText(/All \d+ artifacts come out the same again/).waitFor()
    await expectAccessible(page)
    await close()
  })

  it('a server that is killed and started again is found again', { timeout: PATIENCE * 4 }, async () => {
    const serve = ['serve', '--without-key', '--storage', storageOf(bench.folder)]
    const first = await bench.start(...serve, '--port', '0')
    const { port } = new URL(first.printed.url)
    const { page, close } = await bench.tab('/objects?type=note', first.printed.url)
    await page.getByText('There are no such objects').waitFor()
    await endCommand(first.child, 'SIGKILL')
    await page.getByText('server away, trying again').waitFor()
    run(bench.folder, 'objects.create', { type: 'note', title: 'Written meanwhile', fields: { content: 'x' } })
    await bench.start(...serve, '--port', port)
    await page.getByRole('link', { name: 'Written meanwhile' }).waitFor()
    await page.getByText('live', { exact: true }).waitFor()
    run(bench.folder, 'objects.create', { type: 'note', title: 'Written afterwards', fields: { content: 'x' } })
    await page.getByRole('link', { name: 'Written afterwards' }).waitFor()
    await close()
  })
})
