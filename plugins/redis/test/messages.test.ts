import { MessageBus } from '@minions/skills-runtime'
import { afterEach, describe, expect, it } from 'vitest'
import { needsServer, serverUrl, TestNetwork, withClient } from './support/redis.ts'

describe.skipIf(serverUrl === undefined)('messages between processes', needsServer, () => {
  let network = new TestNetwork()
  const buses: MessageBus[] = []

  afterEach(async () => {
    await Promise.all(buses.splice(0).map((bus) => bus.close()))
    await network.close()
    network = new TestNetwork()
  })

  async function openBus(options: ConstructorParameters<typeof MessageBus>[0] = {}) {
    const transport = await network.join()
    const bus = new MessageBus({ ...options, transport })
    buses.push(bus)
    return { bus, transport }
  }

  it('live as long on a machine whose clock is an hour ahead or behind', async () => {
    const { bus: here } = await openBus()
    for (const hours of [-1, 1]) {
      const clock = () => Date.now() + hours * 3_600_000
      const { bus: there } = await openBus({ clock })
      const heard: unknown[] = []
      there.subscribe('a', ({ payload }) => heard.push(payload.hours))
      await here.publish('a', { hours }, { ttl: 60 })
      expect(heard).toEqual([hours])
      expect(there.stats()).toMatchObject({ delivered: 1, expired: 0 })
    }
  })

  it('that have outlived their time on the way are counted as expired where they arrive', async () => {
    const { bus: here } = await openBus()
    const { bus: there } = await openBus()
    there.subscribe('a', () => {})
    const timestamp = new Date(Date.now() - 10_000).toISOString()
    await here.dispatch({ sender_id: 'system', message_type: 'event', topic: 'a', payload: {}, timestamp, ttl: 5 })
    expect(there.stats()).toMatchObject({ delivered: 0, expired: 1 })
  })

  it('come by priority, and dead letters are kept where they arise', async () => {
    const { bus: here } = await openBus({ agents: () => false })
    const { bus: there } = await openBus({ agents: (id) => id === 'agent-b' })
    for (const priority of [5, 3, 1, 4, 2]) await here.send('agent-b', { priority }, { priority })
    const order = [1, 2, 3, 4, 5].map(() => there.tryReceive('agent-b')?.payload.priority)
    expect(order).toEqual([1, 2, 3, 4, 5])
    there.subscribe('a', () => {
      throw new Error('no')
    })
    await here.publish('a', {})
    await here.publish('nobody', {})
    await here.send('agent-c', {})
    expect(there.stats().deadLetters).toEqual({ HANDLER_FAILED: 1 })
    expect(here.stats().deadLetters).toEqual({ NO_SUBSCRIBER: 1, UNKNOWN_RECIPIENT: 1 })
  })

  it('reach subscribers of a pattern in every process once', async () => {
    const opened = [await openBus(), await openBus(), await openBus()]
    const heard = opened.map(({ bus }) => {
      const topics: unknown[] = []
      bus.subscribe('orders.*.paid', ({ topic }) => topics.push(topic))
      return topics
    })
    await opened[1]?.bus.publish('orders.7.paid', {})
    await opened[1]?.bus.publish('orders.7.lost', {})
    expect(heard).toEqual([['orders.7.paid'], ['orders.7.paid'], ['orders.7.paid']])
  })

  it('do not wait for ever for a process that is gone', async () => {
    const { bus, transport } = await openBus()
    bus.subscribe('a', () => {})
    await withClient(serverUrl ?? '', async (client) => {
      const [seconds = '0'] = await client.time()
      const until = (Number(seconds) + 2) * 1000
      await client.zadd(`{${network.prefix}}:members`, until, 'ghost:0')
    })
    await bus.publish('a', {})
    expect(transport.stats()).toMatchObject({ unconfirmed: 1, pending: 0, members: 1 })
    expect((await network.keys()).filter((key) => key.includes('ghost'))).toEqual([])
  })

  it('fail requests to agents that answer with an error, and time out without an answer', async () => {
    const { bus: here } = await openBus()
    const { bus: there } = await openBus()
    const answering = there
      .receive('agent-b')
      .then((request) => there.reply(request, { message: 'busy' }, { message_type: 'error' }))
    await expect(here.request('agent-b', {})).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    await answering
    await expect(here.request('agent-b', {}, { timeout: 20 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    const late = await there.receive('agent-b')
    await there.reply(late, {})
    expect(here.stats().deadLetters).toEqual({ LATE_RESPONSE: 1 })
  })
})
