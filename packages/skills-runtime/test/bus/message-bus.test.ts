import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MessageBus, type SentMessage, validateMessage } from '../../src/index.js'
import { eventMessage } from '../examples.js'
import { ManualTime, settle } from './manual-time.js'

function createBus(options: ConstructorParameters<typeof MessageBus>[0] = {}) {
  const time = new ManualTime()
  return { time, bus: new MessageBus({ clock: time.clock, timers: time, ...options }) }
}

/** Every delivery must have ended in exactly one way. */
function expectBalance(bus: MessageBus) {
  const { deliveries, delivered, expired, deadLettered, pending } = bus.stats()
  expect(delivered + expired + deadLettered + pending).toBe(deliveries)
}

describe('publishing', () => {
  it('gives every subscriber the complete record', async () => {
    const { bus } = createBus()
    const seen: SentMessage[] = []
    bus.subscribe('navigation.complete', (message) => seen.push(message))
    bus.subscribe('navigation.*', (message) => seen.push(message))
    const sent = await bus.publish('navigation.complete', { location: 'kitchen' })
    expect(seen).toEqual([sent, sent])
    expect(sent).toEqual({
      message_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      topic: 'navigation.complete',
      sender_id: 'system',
      recipient_id: null,
      message_type: 'event',
      payload: { location: 'kitchen' },
      timestamp: '2025-12-19T10:00:00.000Z',
      ttl: 60,
      priority: 5,
      correlation_id: null,
    })
    expect(validateMessage(sent).valid).toBe(true)
    expect(bus.stats()).toMatchObject({ sent: 1, deliveries: 2, delivered: 2, pending: 0 })
  })

  it('sends copies that nobody can change', async () => {
    const { bus } = createBus()
    const payload = { list: [{ a: 1 }] }
    let seen: SentMessage | undefined
    bus.subscribe('t', (message) => {
      seen = message
    })
    await bus.publish('t', payload)
    payload.list.push({ a: 2 })
    expect(seen?.payload).toEqual({ list: [{ a: 1 }] })
    const list = seen?.payload.list as unknown[]
    expect(() => list.push(1)).toThrow(TypeError)
    expect(Object.isFrozen(seen)).toBe(true)
  })

  it('carries odd keys and refuses what is not JSON', async () => {
    const { bus } = createBus()
    const odd = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "toString": 3}')
    const sent = await bus.publish('__proto__', odd)
    expect(JSON.stringify(sent.payload)).toBe(JSON.stringify(odd))
    for (const payload of [{ f: () => 1 }, { s: '\ud800' }, { n: Number.NaN }]) {
      await expect(bus.publish('t', payload as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    expect(bus.stats().sent).toBe(1)
  })

  it('isolates handlers that throw or reject', async () => {
    const { bus } = createBus()
    const seen: string[] = []
    bus.subscribe('t', () => {
      throw new Error('at once')
    })
    bus.subscribe('t', async () => {
      throw new Error('later')
    })
    bus.subscribe('t', () => Promise.reject(undefined))
    bus.subscribe('t', (message) => seen.push(message.message_id))
    const sent = await bus.publish('t', {})
    await settle()
    expect(seen).toEqual([sent.message_id])
    expect(bus.stats()).toMatchObject({ deliveries: 4, delivered: 1, deadLettered: 3, pending: 0 })
    const letters = bus.deadLetters()
    expect(letters.map(({ reason, target }) => [reason, target])).toEqual(Array(3).fill(['HANDLER_FAILED', 't']))
    expect(letters.map(({ error }) => (error as Error).message).slice(0, 2)).toEqual(['at once', 'later'])
  })

  it('gives a busy handler the next message when it is done, most urgent first', async () => {
    const { bus } = createBus()
    const order: unknown[] = []
    let release = () => {}
    bus.subscribe('t', async (message) => {
      order.push(message.payload.n)
      if (message.payload.n === 0) await new Promise<void>((resolve) => (release = resolve))
    })
    await bus.publish('t', { n: 0 })
    await bus.publish('t', { n: 1 }, { priority: 9 })
    await bus.publish('t', { n: 2 }, { priority: 5 })
    await bus.publish('t', { n: 3 }, { priority: 1 })
    await bus.publish('t', { n: 4 }, { priority: 5 })
    expect(order).toEqual([0])
    expect(bus.stats().pending).toBe(5)
    release()
    await settle()
    expect(order).toEqual([0, 3, 2, 4, 1])
    expectBalance(bus)
  })

  it('lets a handler publish to its own topic', async () => {
    const { bus } = createBus()
    const seen: unknown[] = []
    bus.subscribe('t', (message) => {
      seen.push(message.payload.n)
      if ((message.payload.n as number) < 2000) void bus.publish('t', { n: (message.payload.n as number) + 1 })
    })
    await bus.publish('t', { n: 0 })
    expect(seen).toHaveLength(2001)
  })

  it('ends a subscription; what waited for it becomes a dead letter', async () => {
    const { bus } = createBus()
    let release = () => {}
    const unsubscribe = bus.subscribe('t', () => new Promise<void>((resolve) => (release = resolve)))
    await bus.publish('t', {})
    await bus.publish('t', {})
    unsubscribe()
    unsubscribe()
    expect(bus.stats()).toMatchObject({ deadLettered: 1, pending: 1 })
    release()
    await settle()
    expect(bus.stats()).toMatchObject({ delivered: 1, deadLetters: { UNSUBSCRIBED: 1 }, pending: 0 })
    await bus.publish('t', {})
    expect(bus.deadLetters().at(-1)?.reason).toBe('NO_SUBSCRIBER')
  })

  it('puts the messages of a topic into a mailbox', async () => {
    const { bus } = createBus()
    bus.subscribe('jobs.**', 'worker-1')
    await bus.publish('jobs.new', { n: 1 }, { priority: 7 })
    await bus.publish('jobs', { n: 2 }, { priority: 3 })
    expect((await bus.receive('worker-1')).payload).toEqual({ n: 2 })
    expect((await bus.receive('worker-1')).payload).toEqual({ n: 1 })
  })

  it('refuses what one cannot subscribe to', () => {
    const { bus } = createBus()
    for (const args of [['', () => 1], [5, () => 1], ['t', 5], ['t', 'a b'], ['t']]) {
      expect(() => bus.subscribe(...(args as [string, () => void]))).toThrow('subscription')
    }
  })
})

describe('the rules of a message', () => {
  const agents = (id: string) => id.startsWith('agent-')

  it.each([
    ['a topic', { topic: 't', recipient_id: null }],
    ['a recipient', { topic: null, recipient_id: 'agent-2' }],
    ['an agent as sender', { sender_id: 'agent-1' }],
    ['the system as sender', { sender_id: 'system' }],
    ['the shortest life', { ttl: 1 }],
    ['the longest life', { ttl: 3600 }],
    ['no life of its own', { ttl: null }],
    ['a request', { message_type: 'request' }],
    ['an error about something', { message_type: 'error', correlation_id: 'c-1' }],
  ])('takes %s', async (_, change) => {
    const { bus } = createBus({ agents })
    const base = { topic: 't', sender_id: 'agent-1', message_type: 'event', payload: {} }
    await expect(bus.dispatch({ ...base, ...change } as never)).resolves.toMatchObject({ payload: {} })
  })

  it.each([
    ['both addresses', 'recipient_id', { recipient_id: 'agent-2' }],
    ['no address', 'topic', { topic: null }],
    ['a sender that does not exist', 'sender_id', { sender_id: 'nobody' }],
    ['no sender', 'sender_id', { sender_id: undefined }],
    ['a response without correlation', 'correlation_id', { message_type: 'response' }],
    ['a response to nothing', 'correlation_id', { message_type: 'response', correlation_id: 'c-1' }],
    ['an error without correlation', 'correlation_id', { message_type: 'error' }],
    ['a life of zero', 'ttl', { ttl: 0 }],
    ['a negative life', 'ttl', { ttl: -5 }],
    ['a life too long', 'ttl', { ttl: 3601 }],
    ['a priority too high', 'priority', { priority: 0 }],
    ['no type', 'message_type', { message_type: undefined }],
  ])('refuses %s', async (_, field, change) => {
    const { bus } = createBus({ agents })
    const base = { topic: 't', sender_id: 'agent-1', message_type: 'event', payload: {} }
    await expect(bus.dispatch({ ...base, ...change } as never)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [{ pointer: `/${field}` }] },
    })
    expect(bus.stats()).toMatchObject({ sent: 0, deliveries: 0 })
  })

  it('looks agents up asynchronously too, and only own properties count', async () => {
    const { bus } = createBus({ agents: async (id) => id === 'agent-1' })
    await bus.send('agent-1', { n: 1 }, { sender_id: 'agent-1' })
    expect(bus.tryReceive('agent-1')?.payload).toEqual({ n: 1 })
    await expect(bus.publish('t', {}, { sender_id: 'agent-2' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    for (const topic of ['a\ud800', 'a\0', 'a'.repeat(257)]) {
      await expect(bus.publish(topic, {})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    await expect(bus.dispatch(Object.create(eventMessage))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(bus.dispatch('x' as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('agrees with validateMessage on anything', async () => {
    const { bus } = createBus()
    const odd = fc.constantFrom<unknown>(
      null,
      undefined,
      '',
      'a',
      'a.b',
      'agent-1',
      '..',
      0,
      1,
      10,
      11,
      3600,
      3601,
      1.5,
      {},
    )
    const types = fc.constantFrom<unknown>('event', 'request', 'error', 'shout', null)
    const record = fc.record(
      { topic: odd, recipient_id: odd, sender_id: odd, message_type: types, payload: odd, ttl: odd, priority: odd },
      { requiredKeys: [] },
    )
    const nearly = fc.record({ topic: fc.constant('t'), sender_id: fc.constant('system'), payload: fc.constant({}) })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          record,
          fc.tuple(nearly, record).map(([a, b]) => ({ ...b, ...a })),
        ),
        async (message) => {
          const sent = bus.dispatch(message as never).then(
            () => true,
            () => false,
          )
          expect(await sent).toBe(validateMessage(message).valid)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('mailboxes', () => {
  it('give priority 1 first, and within one what came first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 10 }), { maxLength: 40 }), async (priorities) => {
        const { bus } = createBus()
        for (const [n, priority] of priorities.entries()) await bus.send('a', { n }, { priority })
        const expected = priorities
          .map((priority, n) => ({ priority, n }))
          .sort((a, b) => a.priority - b.priority || a.n - b.n)
        for (const { n } of expected) expect(bus.tryReceive('a')?.payload.n).toBe(n)
        expect(bus.tryReceive('a')).toBeUndefined()
        expectBalance(bus)
      }),
      { numRuns: 50 },
    )
  })

  it('make receivers wait, first come first served', async () => {
    const { bus, time } = createBus()
    const first = bus.receive('a')
    const second = bus.receive('a', { timeout: 1000 })
    await bus.send('a', { n: 1 })
    await bus.send('a', { n: 2 })
    expect((await first).payload.n).toBe(1)
    expect((await second).payload.n).toBe(2)
    expect(time.pending).toBe(0)
  })

  it('lose nothing to a receiver that gave up', async () => {
    const { bus, time } = createBus()
    const late = bus.receive('a', { timeout: 100 })
    const failure = expect(late).rejects.toMatchObject({ code: 'RECEIVE_TIMEOUT' })
    await time.pass(100)
    await failure
    const controller = new AbortController()
    const aborted = expect(bus.receive('a', { signal: controller.signal })).rejects.toThrow('enough')
    controller.abort(new Error('enough'))
    await aborted
    await expect(bus.receive('a', { signal: controller.signal })).rejects.toThrow('enough')
    await bus.send('a', { n: 1 })
    expect(bus.tryReceive('a')?.payload.n).toBe(1)
  })

  it('never deliver an expired message, and count it', async () => {
    const { bus, time } = createBus()
    const expired: string[] = []
    bus.events.on('expired', ({ message }) => expired.push(message.message_id))
    const short = await bus.send('a', { n: 1 }, { ttl: 1 })
    await bus.send('a', { n: 2 }, { ttl: 2 })
    await time.pass(999)
    expect(bus.stats().expired).toBe(0)
    await time.pass(1)
    expect(bus.tryReceive('a')?.payload.n).toBe(2)
    expect(expired).toEqual([short.message_id])
    expect(bus.stats()).toMatchObject({ deliveries: 2, delivered: 1, expired: 1, pending: 0 })
  })

  it('measure the life of a foreign record from its own time, never from a later one', async () => {
    const { bus, time } = createBus()
    const old = { sender_id: 'system', recipient_id: 'a', message_type: 'event', payload: {} } as const
    await bus.dispatch({ ...old, timestamp: '2025-12-19T09:58:59.000Z' })
    expect(bus.tryReceive('a')).toBeUndefined()
    await bus.dispatch({ ...old, timestamp: '2999-01-01T00:00:00.000Z' })
    await time.pass(60_000)
    expect(bus.tryReceive('a')).toBeUndefined()
    expect(bus.stats().expired).toBe(2)
  })

  it('slow their senders down when they are full', async () => {
    const { bus } = createBus({ mailboxLimit: 2 })
    await bus.send('a', { n: 1 })
    await bus.send('a', { n: 2 })
    let isSent = false
    const third = bus.send('a', { n: 3 }, { priority: 1 }).then(() => {
      isSent = true
    })
    await settle()
    expect(isSent).toBe(false)
    expect(bus.stats().pending).toBe(3)
    await bus.send('b', { n: 1 })
    expect(bus.tryReceive('a')?.payload.n).toBe(1)
    await third
    expect(bus.tryReceive('a')?.payload.n).toBe(3)
    expectBalance(bus)
  })

  it('hold no sender longer than its message lives', async () => {
    const { bus, time } = createBus({ mailboxLimit: 1 })
    await bus.send('a', { n: 1 })
    const second = bus.send('a', { n: 2 }, { ttl: 3 })
    await time.pass(3000)
    await second
    expect(bus.stats()).toMatchObject({ expired: 1, pending: 1 })
    await time.pass(57_000)
    await bus.send('a', { n: 3 })
    expect(bus.tryReceive('a')?.payload.n).toBe(3)
    expect(time.pending).toBe(0)
  })

  it('hold at least one message', () => {
    for (const mailboxLimit of [0, -1, 1.5, Number.NaN]) {
      expect(() => new MessageBus({ mailboxLimit })).toThrow('mailboxLimit')
    }
  })

  it('refuse when told to, and the letter is dead', async () => {
    const { bus } = createBus({ mailboxLimit: 1, overflow: 'reject' })
    await bus.send('a', {})
    await expect(bus.send('a', {})).rejects.toMatchObject({ code: 'MAILBOX_FULL' })
    expect(bus.stats()).toMatchObject({ deadLetters: { MAILBOX_FULL: 1 }, pending: 1 })
    expectBalance(bus)
  })

  it('turn mail for nobody into dead letters', async () => {
    const { bus } = createBus({ agents: (id) => (id === 'gone' ? 'ended' : id === 'here') })
    const letters: string[] = []
    bus.events.on('dead-letter', ({ reason, target }) => letters.push(`${reason} ${target}`))
    await bus.send('nobody', {})
    await bus.send('gone', {})
    await bus.publish('nothing', {})
    expect(letters).toEqual(['UNKNOWN_RECIPIENT nobody', 'AGENT_ENDED gone', 'NO_SUBSCRIBER nothing'])
    expect(bus.stats()).toMatchObject({ sent: 3, deliveries: 3, deadLettered: 3 })
  })

  it('close with their agent', async () => {
    const { bus } = createBus()
    bus.subscribe('t', 'a')
    await bus.publish('t', {})
    bus.closeMailbox('a')
    const waiting = expect(bus.receive('b')).rejects.toMatchObject({ code: 'CLOSED' })
    bus.closeMailbox('b')
    await waiting
    await bus.publish('t', {})
    expect(bus.stats().deadLetters).toEqual({ AGENT_ENDED: 1, NO_SUBSCRIBER: 1 })
  })

  it('keep only the last dead letters but count all', async () => {
    const { bus } = createBus({ deadLetterLimit: 3 })
    for (let n = 0; n < 20; n++) await bus.publish('nothing', { n })
    expect(bus.deadLetters().map(({ message }) => message.payload.n)).toEqual([17, 18, 19])
    expect(bus.stats().deadLettered).toBe(20)
  })
})

describe('closing', () => {
  it('lets handlers finish', async () => {
    const { bus, time } = createBus()
    const seen: unknown[] = []
    bus.subscribe('t', async ({ payload }) => {
      await settle()
      seen.push(payload.n)
    })
    for (let n = 0; n < 5; n++) await bus.publish('t', { n })
    await bus.close()
    expect(seen).toEqual([0, 1, 2, 3, 4])
    expect(time.pending).toBe(0)
    await expect(bus.publish('t', {})).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(bus.receive('a')).rejects.toMatchObject({ code: 'CLOSED' })
    await bus.close()
  })

  it('waits no longer than the deadline, and says what was left', async () => {
    const { bus, time } = createBus()
    bus.subscribe('t', () => new Promise(() => {}))
    await bus.publish('t', {})
    await bus.publish('t', {})
    await bus.send('a', {})
    const waiting = expect(bus.receive('b')).rejects.toMatchObject({ code: 'CLOSED' })
    const asking = expect(bus.request('c', {})).rejects.toMatchObject({ code: 'REQUEST_FAILED' })
    const closed = bus.close({ deadline: 100 })
    await time.pass(100)
    await Promise.all([closed, waiting, asking])
    expect(bus.stats()).toMatchObject({ deadLetters: { CLOSED: 3 }, pending: 1 })
    expectBalance(bus)
  })
})
