import { messageTransportCases } from '@minions/skills-runtime/testing'
import { describe, expect, it } from 'vitest'
import { needsServer, serverUrl, TestNetwork } from './support/redis.ts'

describe.skipIf(serverUrl === undefined)('the transport on Redis', needsServer, () => {
  it.each(messageTransportCases)('$name', async ({ run }) => {
    const networks: TestNetwork[] = []
    await run(() => {
      const network = new TestNetwork()
      networks.push(network)
      return network
    })
    for (const network of networks) expect(await network.keys()).toEqual([])
  })
})
