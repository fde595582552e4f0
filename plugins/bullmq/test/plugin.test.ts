import { randomUUID } from 'node:crypto'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { type Executor, executorToken, jobsCollections } from '@minions/skills-runtime/jobs'
import { describe, expect, it } from 'vitest'
import { needsServer, serverUrl, withClient } from '../../redis/test/support/redis.ts'
import { bullmq } from '../src/index.ts'

const usersRef = pluginRef<{ readonly executor: Executor }>()('test/users', 'users')

/** A plugin that has jobs, and does them with whatever executor the app has. */
const users = () =>
  definePlugin({
    ref: usersRef,
    version: '1.0.0',
    deps: { executor: executorToken },
    collections: jobsCollections,
    setup: ({ executor }) => ({ executor }),
  })

describe.skipIf(serverUrl === undefined)('the plugin', needsServer, () => {
  it('is the executor of an app', async () => {
    const prefix = `t${randomUUID().slice(0, 8)}`
    const options = { url: serverUrl ?? '', prefix }
    const app = await createMinions({ storage: 'memory:', plugins: [users(), bullmq(options)] })
    try {
      const { executor } = app.users
      await executor.connect({
        worker_id: 'worker-1',
        concurrency: 2,
        tags: [],
        skills: () => [{ name: 'walk', version: '1.0.0' }],
        perform: async ({ job }) => ({ status: 'completed', result: { steps: Number(job.parameters.steps) } }),
      })
      const [job] = await executor.submit([{ skill: 'walk', params: { steps: 3 } }])
      expect((await executor.wait(job?.job_id ?? '')).result).toEqual({ steps: 3 })
      expect((await executor.status()).executor).toBe('bullmq')
      expect(app.bullmq.executor).toBe(executor)
    } finally {
      await app.close()
      await withClient(serverUrl ?? '', async (client) => {
        const keys = await client.keys(`${prefix}:*`)
        if (keys.length > 0) await client.del(...keys)
      })
    }
  })

  it('says what is wrong with its options before anything is opened', async () => {
    const opening = createMinions({ storage: 'memory:', plugins: [bullmq({ url: 'mysql://x' })] })
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('url') })
  })
})
