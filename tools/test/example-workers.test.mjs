// @ts-check
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../packages.mjs'

const timeout = 300_000
const postgres = env.MINIONS_TEST_POSTGRES_URL

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'minions-two-workers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** URL of a schema that is dropped when the test ends. */
async function temporarySchema() {
  const schema = `two_workers_${randomUUID().replaceAll('-', '')}`
  const url = new URL(postgres ?? '')
  url.searchParams.set('schema', schema)
  onTestFinished(async () => {
    const admin = new pg.Client({ connectionString: postgres })
    await admin.connect()
    await admin.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    await admin.end()
  })
  return url.href
}

/**
 * Starts a worker as the README of the example does; resolves to its id once it is ready.
 *
 * @param {string} storage
 */
async function startWorker(storage) {
  const args = [
    'worker',
    '--storage',
    storage,
    '--roles',
    'examples/two-workers/roles.mjs',
    '--concurrency',
    '1',
    '--json',
  ]
  const worker = spawn(execPath, [join(root, 'packages/cli/bin/minions.js'), ...args], {
    cwd: root,
    env: { ...env, MINIONS_HOME: temporaryFolder() },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    worker.kill()
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit')
  })
  let printed = ''
  for await (const part of worker.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += part
    const id = /"worker":\s*"([^"]+)"/.exec(printed)?.[1]
    if (id !== undefined) return id
  }
  throw new Error(`The worker did not start: ${printed}`)
}

/** @param {string} storage */
async function runMission(storage) {
  const workers = await Promise.all([startWorker(storage), startWorker(storage)])
  const start = spawn(execPath, [join(root, 'examples/two-workers/start.mjs'), storage], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  start.stdout.setEncoding('utf8').on('data', (part) => (printed += part))
  expect(await once(start, 'close')).toEqual([0, null])

  const [first, ...rest] = printed.trim().split('\n')
  expect(first).toBe('completed: 9 tasks')
  const done = rest.map((line) => /^- worker (\S+): (\d+) jobs$/.exec(line) ?? [])
  for (const [, worker] of done) expect(workers).toContain(worker)
  // One job for each task, and one for the plan.
  expect(done.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(10)
}

test('a mission on two workers, on SQLite', { timeout }, () =>
  runMission(`sqlite:${join(temporaryFolder(), 'proofread.db')}`),
)

test.skipIf(!postgres)(
  'the same on PostgreSQL, where only the URL differs',
  { timeout, meta: { needs: 'PostgreSQL: set MINIONS_TEST_POSTGRES_URL' } },
  async () => runMission(await temporarySchema()),
)
