import { createMinions } from '@minions/host'
import { defineSkill, skills } from '@minions/skills-runtime'
import { describe, expect, it } from 'vitest'
import { redis } from '../src/index.ts'
import { needsServer, serverUrl, TestNetwork } from './support/redis.ts'

describe.skipIf(serverUrl === undefined)('the plugin', needsServer, () => {
  it('carries the messages of skills between apps', async () => {
    const network = new TestNetwork()
    const open = () => createMinions({ storage: 'memory:', plugins: [skills(), redis(network.options())] })
    const [here, there] = [await open(), await open()]
    try {
      const listen = defineSkill({
        name: 'listen',
        version: '1.0.0',
        parameters_schema: { type: 'object' },
        execute: async (_params, context) => {
          const request = await context.receive()
          await context.reply(request, { heard: String(request.payload.n) })
          return { from: request.sender_id }
        },
      })
      there.skills.registry.registerSkill(listen)
      const { agent_id } = await there.skills.spawn()
      const running = there.skills.run(agent_id, 'listen')
      const response = await here.skills.bus.request(agent_id, { n: 1 })
      expect(response.payload).toEqual({ heard: '1' })
      expect(await running).toEqual({ from: 'system' })
      expect(here.redis.transport.stats().members).toBe(2)
    } finally {
      await Promise.all([here.close(), there.close()])
    }
    expect(await network.keys()).toEqual([])
  })

  it('says what is wrong with its options before anything is opened', async () => {
    const opening = createMinions({ storage: 'memory:', plugins: [redis({ url: 'mysql://x' })] })
    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('url') })
  })
})
