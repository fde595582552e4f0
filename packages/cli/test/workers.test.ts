import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { BIN, Minions } from './support/minions.js'
import { readyWorker } from './support/ready-worker.js'

/** Starts `minions worker` and resolves when it is ready. */
function worker(minions: Minions, args: readonly string[] = []): Promise<ChildProcess> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', MINIONS_HOME: minions.home }
  return readyWorker(spawn(process.execPath, [BIN, 'worker', '--lease', '1000', ...args], { env, cwd: minions.home }))
}

/** A skill that tells where it runs, and ends when it is let. */
function writeSkills(minions: Minions): string {
  const folder = minions.path('my-skills')
  mkdirSync(folder)
  writeFileSync(
    `${folder}/where.mjs`,
    `import { existsSync, writeFileSync } from 'node:fs'
export const where = {
  name: 'where', version: '1.0.0', parameters_schema: { type: 'object' },
  async execute({ go }, { signal, idempotencyKey }) {
    writeFileSync(go + '.' + process.pid, idempotencyKey)
    while (!existsSync(go)) {
      signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return { pid: process.pid }
  },
}
`,
  )
  return folder
}

async function begun(minions: Minions, go: string, child: ChildProcess): Promise<void> {
  const { existsSync } = await import('node:fs')
  while (!existsSync(`${minions.path(go)}.${child.pid}`)) await new Promise((resolve) => setTimeout(resolve, 20))
}

// These wait for processes and for leases that end.
it.concurrent('does the tasks of a mission that another process started', async () => {
  const minions = new Minions()
  const workers = [await worker(minions), await worker(minions, ['--concurrency', '2'])]
  const result = await minions.json(['colony', 'run', '--example', '--workers'])
  expect(result).toMatchObject({ status: 'completed', completed: 9 })
  const status = await minions.json(['cluster', 'status'])
  expect(status.workers.map(({ pid }: { pid: number }) => pid).sort()).toEqual(workers.map(({ pid }) => pid).sort())
  expect(await minions.json(['jobs', 'list', '--status', 'completed'])).toHaveLength(10)
  const text = await minions.here(['cluster', 'status'])
  expect(text.stdout).toMatch(/WORKER +MACHINE +STATE/)
  for (const child of workers) {
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  }
  expect((await minions.json(['cluster', 'status'])).workers).toEqual([])
}, 240_000)

it.concurrent('gives the job of a worker that was killed to another, and lets one that is told to stop end its own', async () => {
  const minions = new Minions()
  const from = ['--from', writeSkills(minions)]
  const first = await worker(minions, from)
  const submit = (go: string) =>
    minions.json(['jobs', 'submit', '--skill', 'where', '--params', JSON.stringify({ go: minions.path(go) })])
  const { job_id } = await submit('one')
  await begun(minions, 'one', first)
  const second = await worker(minions, from)
  first.kill('SIGKILL')
  await begun(minions, 'one', second)
  second.kill('SIGTERM')
  writeFileSync(minions.path('one'), '')
  expect(await once(second, 'exit')).toEqual([0, null])
  expect(await minions.json(['jobs', 'get', '--job', job_id])).toMatchObject({
    status: 'completed',
    result: { pid: second.pid },
    deliveries: 2,
  })
}, 240_000)

it.concurrent('reports skills that no worker has, and refuses a store that no one else reaches', async () => {
  const minions = new Minions()
  await minions.json(['jobs', 'submit', '--skill', 'unheard-of', '--tags', 'gpu'])
  const { stdout } = await minions.here(['cluster', 'status'])
  expect(stdout).toContain('No worker can do: unheard-of@* [gpu]')
  const refused = await minions.here(['worker', '--storage', 'memory:'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('CAPABILITY_MISSING') })
  const usage = await minions.here(['worker', '--concurrency', '0'])
  expect(usage.code).toBe(2)
  const misspelt = await minions.here(['worker', '--skill', 'colony-reviewer', '--skill', 'wher'])
  expect(misspelt).toMatchObject({ code: 1, stderr: expect.stringMatching(/no skill "wher"; it has .*colony-lead/) })
})

it.concurrent('says without being asked that jobs wait for a skill that no worker has', async () => {
  const minions = new Minions()
  await minions.json(['jobs', 'submit', '--skill', 'unheard-of'])
  const child = await worker(minions)
  let said = ''
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  while (!said.includes('unheard-of@*')) await new Promise((resolve) => setTimeout(resolve, 100))
  expect(said).toContain('no worker can run a waiting job')
}, 240_000)
