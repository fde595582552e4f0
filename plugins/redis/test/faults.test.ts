import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canStartServer, needsOwnServer, OwnServer } from './support/own-server.ts'
import { TestNetwork } from './support/redis.ts'
import { Traffic } from './support/traffic.ts'

describe.skipIf(!canStartServer)('when Redis fails', needsOwnServer, () => {
  let server: OwnServer
  let network: TestNetwork
  let traffic: Traffic

  beforeEach(async () => {
    server = await new OwnServer().start()
    network = new TestNetwork(server.url)
  })

  afterEach(async () => {
    await traffic?.close()
    await network.close()
    await server.dispose()
  })

  async function open() {
    const [sender, receiver] = [await network.join(), await network.join()]
    traffic = new Traffic(sender, receiver)
    await traffic.send(10)
    return { sender, receiver }
  }

  /** Every number was acknowledged and received once, in order. */
  function expectNothingLost(count: number) {
    expect(traffic.refused).toEqual([])
    expect(traffic.deadLettered).toBe(0)
    const all = Array.from({ length: count }, (_, n) => n)
    expect(traffic.acknowledged.toSorted((a, b) => a - b)).toEqual(all)
    expect(traffic.received).toEqual(all)
  }

  it('loses and doubles nothing when Redis is killed and starts again, empty', async () => {
    const { sender, receiver } = await open()
    const sending = traffic.send(2000)
    await expect.poll(() => traffic.received.length).toBeGreaterThan(100)
    await server.kill()
    await server.start()
    await sending
    expectNothingLost(2010)
    expect(sender.stats()).toMatchObject({ undelivered: 0, unconfirmed: 0, pending: 0 })
    expect(sender.stats().losses + receiver.stats().losses).toBeGreaterThan(0)
    expect(sender.stats().reconnects).toBeGreaterThan(0)
  })

  it('loses and doubles nothing when every key is deleted', async () => {
    const { sender } = await open()
    const sending = traffic.send(2000)
    await expect.poll(() => traffic.received.length).toBeGreaterThan(100)
    await server.command('FLUSHALL')
    await sending
    expectNothingLost(2010)
    expect(sender.stats()).toMatchObject({ undelivered: 0, unconfirmed: 0 })
  })

  it('loses and doubles nothing when connections are cut again and again', async () => {
    await open()
    let isDone = false
    const sending = traffic.send(1000).finally(() => {
      isDone = true
    })
    while (!isDone) {
      const before = traffic.received.length
      await server.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await expect.poll(() => isDone || traffic.received.length > before).toBe(true)
    }
    await sending
    expectNothingLost(1010)
  })

  it('tells the sender of what Redis was away for, and counts it', async () => {
    const { sender } = await open()
    await server.kill()
    await traffic.send(10, 1)
    expect(traffic.refused).toHaveLength(10)
    for (const error of traffic.refused) expect(error).toMatchObject({ code: 'REDIS_UNREACHABLE' })
    expect(sender.stats()).toMatchObject({ undelivered: 10, pending: 0 })
    await server.start()
    await traffic.send(10)
    // What was given up stays so, though it was sent to the driver before.
    expect(traffic.received).toHaveLength(20)
    expect(traffic.received.slice(10)).toEqual(traffic.acknowledged.slice(10))
  })

  it('delivers nothing, here or elsewhere, while Redis is full, and goes on afterwards', async () => {
    const { sender } = await open()
    await server.command('CONFIG', 'SET', 'maxmemory', '1')
    await traffic.send(10)
    expect(traffic.refused).toHaveLength(10)
    for (const error of traffic.refused) expect(error).toMatchObject({ code: 'REDIS_FULL' })
    expect(traffic.received).toHaveLength(10)
    expect(sender.stats()).toMatchObject({ undelivered: 10, members: 2 })
    await server.command('CONFIG', 'SET', 'maxmemory', '0')
    await traffic.send(10)
    expect(traffic.received).toHaveLength(20)
    expect(sender.stats().losses).toBe(0)
  })

  it('refuses to begin on a server that evicts', async () => {
    traffic = undefined as unknown as Traffic
    await server.command('CONFIG', 'SET', 'maxmemory', '100mb')
    await server.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(network.join()).rejects.toMatchObject({ code: 'REDIS_EVICTS', details: { policy: 'allkeys-lru' } })
    // Without a limit it never has to.
    await server.command('CONFIG', 'SET', 'maxmemory', '0')
    await expect(network.join()).resolves.toBeDefined()
  })

  it('goes on when the inbox of one process is evicted', async () => {
    const { receiver } = await open()
    for (const key of await network.keys()) if (key.includes(':inbox:')) await server.command('DEL', key)
    await expect.poll(() => receiver.stats().losses).toBeGreaterThan(0)
    await traffic.send(100)
    expectNothingLost(110)
  })
})
