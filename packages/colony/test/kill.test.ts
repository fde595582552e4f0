import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isMinionsError } from '@minions/core'
import { describe, expect, test } from 'vitest'
import { createDatabase, needsServer, serverUrl } from '../../storage-postgres/test/support/server.ts'
import type { Roles } from '../src/index.ts'
import { createApp, envelope, folder, type TestApp } from './support/app.ts'
import { task } from './support/graphs.ts'

const rounds = Number(process.env.MINIONS_KILLS ?? 4)
const script = fileURLToPath(new URL('./support/killed-process.mjs', import.meta.url))

/** Long enough for a live process to renew its leases on a busy machine. */
const leaseMs = 200

/** Ten waves of three; each task waits for two of the wave before. */
const tasks = Array.from({ length: 30 }, (_, index) => {
  const wave = Math.floor(index / 3)
  const before = wave === 0 ? [] : [index - 3, wave * 3 - 3 + ((index + 1) % 3)]
  return task(
    `task_${index}`,
    [...new Set(before)].map((each) => `task_${each}`),
  )
})

/** Kills a process that runs the mission once it has begun so many tasks, and a little later. */
async function runAndKill(child: ChildProcess, afterLines: number, delay: number): Promise<void> {
  if (child.stdout === null) throw new Error('the output of the process is needed')
  let lines = 0
  const exit = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'done') break
    if (++lines > afterLines) {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
      break
    }
  }
  child.kill('SIGKILL')
  await exit
}

/** What is stored for the mission must fit together at any moment. */
async function checkStore(app: TestApp, mission_id: string, tenant_id: string): Promise<Set<string>> {
  const executions = await app.skills.executions({ status: 'success' })
  const done = executions
    .filter(({ parameters, skill_name }) => skill_name === 'colony-worker' && parameters.mission_id === mission_id)
    .map(({ parameters }) => String(parameters.task_id))
  expect(new Set(done).size).toBe(done.length)
  const results = await app.contracts.store.forTenant(tenant_id).list('worker_result', { missionId: mission_id })
  expect(new Set(results.items.map((each) => each.task_id))).toEqual(new Set(done))
  return new Set(done)
}

async function killRound(storage: string, round: number): Promise<void> {
  const mission = envelope()
  const { mission_id, tenant_id } = mission
  const afterLines = (round * 17) % 33
  const settings = { storage, configDir: join(folder, 'killed'), envelope: mission, tasks, leaseMs }
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await runAndKill(child, afterLines, round % 5)

  const begun: string[] = []
  const roles: Roles = {
    planner: () => ({ tasks }),
    worker: ({ task: { task_id }, read }) => {
      begun.push(task_id)
      return { output_text: `${task_id} after ${read('worker_result').length}`, confidence: 1 }
    },
  }
  const app = await createApp({ storage, roles, skills: { leaseMs } })
  try {
    const before = await checkStore(app, mission_id, tenant_id)
    const missions = app.colony.forTenant(tenant_id)
    const result = await missions.resume(mission_id).catch((error: unknown) => {
      // Killed before anything was stored: the mission does not exist, and can be run.
      if (isMinionsError(error, 'NOT_FOUND') && afterLines === 0) return app.colony.run(mission)
      throw error
    })
    expect(result).toMatchObject({ status: 'completed', completed: 30 })
    expect(begun.filter((each) => before.has(each))).toEqual([])
    expect((await checkStore(app, mission_id, tenant_id)).size).toBe(30)
    expect(await missions.replay(mission_id)).toMatchObject({ clean: true })
  } finally {
    await app.close()
  }
}

describe('a mission whose process is killed', () => {
  test(`is finished by resume, ${rounds} times on SQLite`, { timeout: 20_000 + rounds * 10_000 }, async () => {
    for (let round = 0; round < rounds; round++) await killRound(`sqlite:${join(folder, `kill-${round}.db`)}`, round)
  })

  test.skipIf(serverUrl === undefined)(
    'is finished by resume on PostgreSQL',
    { ...needsServer, timeout: 120_000 },
    async () => {
      const database = await createDatabase()
      try {
        for (let round = 1; round <= 3; round++) await killRound(database.url, round)
      } finally {
        await database.drop()
      }
    },
  )
})
