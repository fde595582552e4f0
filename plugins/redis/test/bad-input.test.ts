import type { MinionsError } from '@minions/core'
import { MessageBus } from '@minions/skills-runtime'
import { afterEach, describe, expect, it } from 'vitest'
import { redisTransport } from '../src/index.ts'
import { canStartServer, needsOwnServer, OwnServer } from './support/own-server.ts'
import { needsServer, serverUrl, TestNetwork } from './support/redis.ts'

describe('options', () => {
  it.each([
    [{ url: 'http://127.0.0.1' }, /\/url /],
    [{ url: 'redis://[' }, /\/url /],
    [{}, /\/url /],
    [{ url: 'redis://127.0.0.1', prefix: 'a b' }, /\/prefix /],
    [{ url: 'redis://127.0.0.1', memberTtlMs: 1 }, /\/memberTtlMs /],
    [{ url: 'redis://127.0.0.1', perfix: 'a' }, /\/perfix /],
    [7, /object/],
  ])('%j are refused before anything is opened', async (options, message) => {
    await expect(redisTransport(options as { url: string })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(message),
    })
  })

  it('are refused with the issues, without the password of a wrong URL', async () => {
    const error: MinionsError = await redisTransport({ url: 'http://user:secret@x' }).then(
      () => expect.unreachable(),
      (it) => it,
    )
    expect(error.details.errors).toMatchObject([{ pointer: '/url', code: 'pattern' }])
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  it('name a server that cannot be reached, without its password', async () => {
    const opening = redisTransport({ url: 'redis://user:secret@127.0.0.1:1/0', connectTimeoutMs: 200 })
    await expect(opening).rejects.toMatchObject({
      code: 'REDIS_UNREACHABLE',
      message: expect.stringContaining('redis://127.0.0.1:1/0'),
    })
    await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
  })
})

describe.skipIf(!canStartServer)('credentials', needsOwnServer, () => {
  it('that are wrong or missing are refused at once', async () => {
    const server = await new OwnServer(['--requirepass', 'right']).start()
    try {
      const wrong = server.url.replace('redis://', 'redis://default:wrong-secret@')
      for (const url of [wrong, server.url]) {
        const opening = redisTransport({ url })
        await expect(opening).rejects.toMatchObject({ code: 'REDIS_REFUSED' })
        await expect(opening).rejects.not.toMatchObject({ message: expect.stringContaining('wrong-secret') })
      }
      const transport = await redisTransport({ url: server.url.replace('redis://', 'redis://default:right@') })
      await transport.close()
    } finally {
      await server.dispose()
    }
  })
})

describe.skipIf(serverUrl === undefined)('on a server', needsServer, () => {
  const network = new TestNetwork()
  const buses: MessageBus[] = []

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()))
    await network.close()
  })

  async function openBus(...options: Parameters<TestNetwork['join']>) {
    const transport = await network.join(...options)
    const bus = new MessageBus({ transport })
    buses.push(bus)
    return { bus, transport }
  }

  it('a second cluster cannot use the prefix of the first, which goes on', async () => {
    const [first, second] = [await openBus({ cluster: 'shop' }), await openBus({ cluster: 'shop' })]
    await expect(network.join({ cluster: 'blog' })).rejects.toMatchObject({
      code: 'PREFIX_IN_USE',
      details: { owner: 'shop', cluster: 'blog' },
    })
    const heard: unknown[] = []
    second.bus.subscribe('a', ({ payload }) => heard.push(payload))
    await first.bus.publish('a', { n: 1 })
    expect(heard).toEqual([{ n: 1 }])
  })

  it('the prefix is free again when all have left', async () => {
    const transport = await network.join({ cluster: 'shop' })
    await transport.close()
    await expect(network.join({ cluster: 'blog' })).resolves.toBeDefined()
  })

  it('a message over the limit is delivered nowhere', async () => {
    const { bus } = await openBus({ maxMessageBytes: 1000 })
    const heard: unknown[] = []
    bus.subscribe('a', ({ payload }) => heard.push(payload))
    await expect(bus.publish('a', { text: 'ü'.repeat(500) })).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      details: { maxMessageBytes: 1000 },
    })
    await bus.publish('a', { text: 'ü'.repeat(200) })
    expect(heard).toHaveLength(1)
  })

  it('more messages than may wait are refused', async () => {
    const { bus } = await openBus({ maxBacklog: 10 })
    bus.subscribe('a', () => {})
    const sent = await Promise.allSettled(Array.from({ length: 30 }, () => bus.publish('a', {})))
    const refused = sent.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused).toHaveLength(20)
    for (const error of refused) expect(error).toMatchObject({ code: 'BACKLOG_FULL' })
  })

  it('entries that are not ours are counted and change nothing', async () => {
    const { bus, transport } = await openBus()
    const inbox = (await network.keys()).find((key) => key.includes(':inbox:')) ?? ''
    const { withClient } = await import('./support/redis.ts')
    const texts = ['not JSON', '{"from":1}', '{"from":"x","seq":1}', '[]', '{"from":"x","acks":[[1,1]]}']
    await withClient(serverUrl ?? '', async (client) => {
      for (const text of texts) await client.xadd(inbox, '*', 'f', text)
    })
    await expect.poll(() => transport.stats().unreadable).toBe(4)
    bus.subscribe('a', () => {})
    await bus.publish('a', {})
    expect(bus.stats().delivered).toBe(1)
  })
})
