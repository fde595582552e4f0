import { createMinions } from '@minions/host'
import { createHandler, server } from '@minions/server'
import { afterEach, describe, expect, it } from 'vitest'
import { redis } from '../src/index.ts'
import { canStartServer, needsOwnServer, OwnServer } from './support/own-server.ts'
import { needsServer, serverUrl, TestNetwork, withClient } from './support/redis.ts'

describe.skipIf(serverUrl === undefined)('limits of several processes', needsServer, () => {
  let network = new TestNetwork()

  afterEach(async () => {
    await network.close()
    network = new TestNetwork()
  })

  it('count one rate together, for each key', async () => {
    const [here, there] = [await network.join(), await network.join()]
    const rate = { points: 3, duration: 60 }
    const [mine, theirs] = [here.limits.rate('calls', rate), there.limits.rate('calls', rate)]
    for (const limiter of [mine, theirs, mine]) await limiter.consume('ada')
    for (const limiter of [mine, theirs]) {
      await expect(limiter.consume('ada')).rejects.toMatchObject({
        code: 'RATE_LIMITED',
        msBeforeNext: expect.any(Number),
      })
    }
    await theirs.consume('bob')
    await there.limits.rate('others', rate).consume('ada')
  })

  it.each([1.0005, 0.0001])('end the window of a rate over %d s', async (duration) => {
    const { limits } = await network.join()
    const limiter = limits.rate('calls', { points: 2, duration })
    const consume = () =>
      limiter.consume('ada').then(
        () => 'taken',
        (error: { code: string }) => error.code,
      )
    // A window may end between two uses; what counts is that every window ends.
    const first = await Promise.all([consume(), consume(), consume()])
    expect(first).toContain('taken')
    const ttls = await withClient(serverUrl ?? '', async (client) => {
      const keys = (await client.keys(`{${network.prefix}}*`)).filter((key) => key.includes(':rate:'))
      return Promise.all(keys.map((key) => client.pttl(key)))
    })
    expect(ttls).not.toContain(-1)
    await expect.poll(consume, { timeout: 20_000 }).toBe('taken')
  })

  it('give a count that was left without an end one', async () => {
    const { limits } = await network.join()
    const limiter = limits.rate('calls', { points: 1, duration: 60 })
    await limiter.consume('ada')
    await withClient(serverUrl ?? '', async (client) => {
      const [key = ''] = (await client.keys(`{${network.prefix}}*`)).filter((name) => name.includes(':rate:'))
      await client.persist(key)
      await expect(limiter.consume('ada')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      expect(await client.pttl(key)).toBeGreaterThan(0)
    })
  })

  it('never let more run at once than there are slots', async () => {
    const members = [await network.join(), await network.join(), await network.join()]
    let running = 0
    let most = 0
    const work = async (index: number) => {
      const release = await members[index % 3]?.limits.slots('printer', 2).acquire()
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      release?.()
      release?.()
    }
    await Promise.all(Array.from({ length: 30 }, (_, index) => work(index)))
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2)
  })

  it('end a wait when they are told to', async () => {
    const [here, there] = [await network.join(), await network.join()]
    const release = await here.limits.slots('printer', 1).acquire()
    const stop = new AbortController()
    const waiting = there.limits.slots('printer', 1).acquire(stop.signal)
    stop.abort(new Error('no longer needed'))
    await expect(waiting).rejects.toThrow('no longer needed')
    release()
    const again = await there.limits.slots('printer', 1).acquire()
    again()
  })

  it('hold over two servers, as for callers without a key', async () => {
    const open = () => createMinions({ storage: 'memory:', plugins: [server(), redis(network.options())] })
    const apps = [await open(), await open()]
    try {
      const handlers = apps.map((app) => createHandler(app, { failureLimit: { points: 2, duration: 60 } }))
      const statuses: number[] = []
      for (const handle of [...handlers, ...handlers]) {
        const response = await handle(new Request('http://localhost/api/openapi.json'), { remoteAddress: '127.0.0.1' })
        statuses.push(response.status)
      }
      expect(statuses.slice(0, 2)).toEqual([401, 401])
      expect(statuses.slice(2)).toEqual([429, 429])
    } finally {
      await Promise.all(apps.map((app) => app.close()))
    }
  })
})

describe.skipIf(!canStartServer)('limits without Redis', needsOwnServer, () => {
  it('are kept by each process alone while Redis is away', async () => {
    const own = await new OwnServer().start()
    const network = new TestNetwork(own.url)
    try {
      const { limits } = await network.join()
      const limiter = limits.rate('calls', { points: 2, duration: 60 })
      await own.kill()
      await limiter.consume('ada')
      await limiter.consume('ada')
      await expect(limiter.consume('ada')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      const release = await limits.slots('printer', 1).acquire()
      release()
    } finally {
      await network.close()
      await own.dispose()
    }
  })
})
