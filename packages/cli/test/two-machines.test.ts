import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDatabase, serverUrl } from '../../storage-postgres/test/support/server.js'
import { canIsolate, Machine, needsNamespaces } from './support/machine.js'
import { Minions } from './support/minions.js'
import { readyWorker } from './support/ready-worker.js'

const isHere = serverUrl !== undefined && canIsolate
const needs = `a PostgreSQL server: set MINIONS_TEST_POSTGRES_URL; and ${needsNamespaces}`

describe.skipIf(!isHere)('workers in two network namespaces', { meta: { needs } }, () => {
  it('do the tasks of the example mission that a third process started', async () => {
    const database = await createDatabase()
    onTestFinished(() => database.drop())
    const start = async () => {
      const machine = await Machine.open(database.url)
      onTestFinished(() => machine.close())
      const args = ['worker', '--storage', machine.url, '--lease', '1000', '--concurrency', '1']
      return readyWorker(machine.start(new Minions(), args))
    }
    const workers = await Promise.all([start(), start()])
    const third = new Minions()
    const storage = ['--storage', database.url]
    const result = await third.json(['colony', 'run', '--example', '--workers', ...storage])
    expect(result).toMatchObject({ status: 'completed', completed: 9 })
    const { workers: seen } = await third.json(['cluster', 'status', ...storage])
    const ids = seen.map(({ worker_id }: { worker_id: string }) => worker_id)
    const jobs = await third.json(['jobs', 'list', '--status', 'completed', ...storage])
    expect({ workers: ids.length, jobs: jobs.length }).toEqual({ workers: 2, jobs: 10 })
    for (const { worker_id } of jobs) expect(ids).toContain(worker_id)
    for (const child of workers) {
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    }
    expect((await third.json(['cluster', 'status', ...storage])).workers).toEqual([])
  }, 240_000)
})
