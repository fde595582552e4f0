import { join } from 'node:path'
import type { StoredArtifact } from '@minions/colony-contracts'
import { colonyContracts } from '@minions/colony-contracts'
import { generateId } from '@minions/core'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { jobs } from '@minions/skills-runtime/jobs'
import { sqliteStorage } from '@minions/storage-sqlite'
import { workspace } from '@minions/workspace'
import { afterEach, expect, it } from 'vitest'
import { type ColonyOptions, colony, deterministicRoles, exampleMission } from '../src/index.ts'
import { createApp, envelope, folder } from './support/app.js'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** An app on a file that other apps have open too, as other processes would. */
async function open(path: string, options: Partial<ColonyOptions> = {}) {
  const app = await createMinions({
    storage: sqliteStorage({ path, synchronous: 'off' }),
    plugins: [
      prompts(),
      workspace({ configDir: join(folder, 'config'), store: 'storage' }),
      skills({ leaseMs: 1000 }),
      jobs({ leaseMs: 1000 }),
      colonyContracts(),
      colony({ roles: deterministicRoles(), ...options }),
    ],
  })
  closing.push(() => app.close())
  return app
}

function newFile(): string {
  return join(folder, `${generateId()}.db`)
}

/** What is the same whenever and by whom a mission is run. */
function contents(artifacts: readonly StoredArtifact[]): unknown {
  return JSON.parse(JSON.stringify(artifacts).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time'))
}

it('lets workers of other processes do the tasks of a mission, with the same artifacts and a clean replay', async () => {
  const path = newFile()
  const lead = await open(path, { workers: true, roles: {} })
  const workers = [await open(path), await open(path)]
  for (const { jobs: queue } of workers) await queue.work({ concurrency: 2 })
  const mission = { ...exampleMission.envelope, mission_id: generateId() }
  const result = await lead.colony.run(mission)
  expect(result).toMatchObject({ status: 'completed', completed: 9 })
  const alone = await createApp()
  closing.push(() => alone.close())
  const expected = await alone.colony.run(mission)
  expect(contents(result.artifacts)).toEqual(contents(expected.artifacts))
  const [worker] = workers
  expect(await worker?.colony.replay(mission.mission_id, { tenantId: mission.tenant_id })).toMatchObject({
    clean: true,
  })
  const done = await lead.jobs.list({ status: 'completed' })
  expect(done).toHaveLength(10)
  expect(done.every(({ tenant_id }) => tenant_id === mission.tenant_id)).toBe(true)
})

it('waits for the same jobs after another process has taken the mission over', async () => {
  const path = newFile()
  const first = await open(path, { workers: true })
  const mission = envelope()
  const started = await first.colony.start(mission)
  expect(started.status).toBe('running')
  while ((await first.jobs.list()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await first.close()
  const second = await open(path, { workers: true })
  const worker = await open(path)
  await worker.jobs.work()
  const result = await second.colony.resume(mission.mission_id, { tenantId: mission.tenant_id })
  expect(result.status).toBe('completed')
  expect(await second.jobs.list({ status: ['failed', 'cancelled', 'waiting'] })).toEqual([])
})

it('is led by workers when it is submitted, and goes on when the one that leads it stops', async () => {
  const path = newFile()
  const submitting = await open(path)
  const mission = envelope()
  const { mission_id, tenant_id: tenantId } = mission
  const submitted = await submitting.colony.submit(mission)
  expect(submitted).toMatchObject({ status: 'running', completed: 0 })
  await expect(submitting.colony.submit(mission)).rejects.toMatchObject({ code: 'MISSION_EXISTS' })
  const first = await open(path)
  await first.jobs.work({ skills: ['colony-lead'] })
  while ((await submitting.jobs.list({ status: 'waiting' })).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await first.close()
  const second = await open(path)
  await second.jobs.work({ concurrency: 1 })
  const lead = await submitting.jobs.wait(`${mission_id}:lead`)
  expect(lead).toMatchObject({ status: 'completed', result: { status: 'completed' } })
  expect(await submitting.colony.status(mission_id, { tenantId })).toMatchObject({ status: 'completed', completed: 9 })
})

it('ends the jobs of a mission that is cancelled', async () => {
  const path = newFile()
  const lead = await open(path, { workers: true })
  const mission = envelope()
  await lead.colony.start(mission)
  while ((await lead.jobs.list()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const progress = await lead.colony.cancel(mission.mission_id, { tenantId: mission.tenant_id })
  expect(progress.status).toBe('cancelled')
  const [job] = await lead.jobs.list()
  expect((await lead.jobs.wait(job?.job_id as string)).status).toBe('cancelled')
})

it('tells the leader of tokens and failures elsewhere', async () => {
  const path = newFile()
  const { planner, ...others } = deterministicRoles()
  const spender = await open(path, {
    roles: {
      ...others,
      planner: async (input, context) => {
        await context.spend(1000)
        return planner?.(input, context) as never
      },
    },
  })
  await spender.jobs.work()
  const lead = await open(path, { workers: true })
  const result = await lead.colony.run(envelope({ token_budget: 10 }))
  expect(result).toMatchObject({ status: 'budget_exceeded', tokens_used: 1000 })
  const broken = await lead.colony.run(envelope(), { onFailure: 'fail' })
  expect(broken.status).toBe('completed')
})

it('needs the plugin of jobs', async () => {
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      prompts(),
      workspace({ configDir: join(folder, 'config'), store: 'storage' }),
      skills(),
      colonyContracts(),
      colony({ roles: deterministicRoles() }),
    ],
  })
  closing.push(() => app.close())
  const result = await app.colony.run(envelope(), { workers: true })
  expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('jobs()') })
  await expect(app.colony.submit(envelope())).rejects.toMatchObject({ code: 'WORKERS_MISSING' })
})
