import { executorCases } from '@minions/skills-runtime/testing'
import { describe, it } from 'vitest'
import { needsServer, serverUrl } from '../../redis/test/support/redis.ts'
import { TestCluster } from './support/cluster.ts'

describe.skipIf(serverUrl === undefined)('BullMQ on Redis', needsServer, () => {
  for (const { name, run } of executorCases) it(name, () => run(() => new TestCluster(serverUrl ?? '')))
})
