import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { needsServer, serverUrl } from '../../redis/test/support/redis.ts'
import { TestCluster } from './support/cluster.ts'

const child = fileURLToPath(new URL('./support/hanging-worker.mjs', import.meta.url))

describe.skipIf(serverUrl === undefined)('a worker in another process', needsServer, () => {
  it('loses its job to another worker when it is killed', async () => {
    const cluster = new TestCluster(serverUrl ?? '')
    const executor = await cluster.join({ leaseMs: 1000 })
    const running = spawn(execPath, [child, cluster.path, cluster.url, cluster.prefix], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]()
      expect((await lines.next()).value).toBe('ready')
      const [job] = await executor.submit([{ skill: 'walk', params: { n: 1 } }])
      expect((await lines.next()).value).toBe('began')
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
      await executor.connect({
        worker_id: 'rescuer',
        concurrency: 1,
        tags: [],
        skills: () => [{ name: 'walk', version: '1.0.0' }],
        perform: async () => ({ status: 'completed', result: { by: 'rescuer' } }),
      })
      const done = await executor.wait(job?.job_id ?? '')
      expect(done).toMatchObject({ status: 'completed', result: { by: 'rescuer' }, deliveries: 2 })
    } finally {
      running.kill('SIGKILL')
      await cluster.close()
    }
  })
})
