// @ts-check
// Missions that other processes run are watched as they run.
import { randomUUID } from 'node:crypto'
import { exampleMission } from '@minions/colony'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { executablePath, needsChromium } from '../chromium.mjs'
import { holdMission } from './hold-mission.mjs'
import { Bench, expectAccessible, PATIENCE } from './studio.mjs'

const bench = new Bench()

describe.skipIf(executablePath === undefined)('missions in the Studio', needsChromium, () => {
  beforeAll(() => bench.open(), PATIENCE * 2)
  afterAll(() => bench.close(), PATIENCE)

  it('are watched from start to end while another process runs them', { timeout: PATIENCE * 4 }, async () => {
    const { page, close } = await bench.tab('/missions')
    await page.getByRole('link', { name: exampleMission.envelope.user_goal }).waitFor()
    const { app, release, ended } = await holdMission(bench.folder, {
      mission_id: randomUUID(),
      user_goal: 'Watch this one',
    })
    await page.getByRole('link', { name: 'Watch this one' }).click()
    await page.getByRole('heading', { name: 'Watch this one' }).waitFor()
    const graph = page.getByRole('region', { name: 'Tasks of the mission' })
    await graph.getByText('worker · running').first().waitFor()
    await graph.getByText('aggregator · pending').waitFor()
    release()
    await page.getByText('9 of 9 tasks done.').waitFor()
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
    await page.getByText(/All \d+ artifacts were reproduced exactly/).waitFor()
    await expectAccessible(page)
    await close()
  })
})
