import type { JsonObject } from '@minions/core/json'
import { describe, expect, it } from 'vitest'
import { MessageBus } from '../../src/index.js'
import { ManualTime, settle } from './manual-time.js'

function createBus(options: ConstructorParameters<typeof MessageBus>[0] = {}) {
  const time = new ManualTime()
  return { time, bus: new MessageBus({ clock: time.clock, timers: time, ...options }) }
}

/** Answers every request with its payload. */
async function echo(bus: MessageBus, agentId: string): Promise<void> {
  for (;;) {
    const message = await bus.receive(agentId)
    await bus.reply(message, { echo: message.payload as JsonObject })
  }
}

describe('requests', () => {
  it('resolve to the response, with the correlation of the request', async () => {
    const { bus, time } = createBus()
    const answer = bus.request('agent-B', { area: 'kitchen' }, { sender_id: 'agent-A', timeout: 1000 })
    const request = await bus.receive('agent-B')
    expect(request).toMatchObject({ message_type: 'request', sender_id: 'agent-A', recipient_id: 'agent-B' })
    expect(request.correlation_id).toMatch(/^[0-9a-f-]{36}$/)
    await bus.reply(request, { objects: ['cup'] })
    expect(await answer).toMatchObject({
      message_type: 'response',
      sender_id: 'agent-B',
      recipient_id: 'agent-A',
      correlation_id: request.correlation_id,
      payload: { objects: ['cup'] },
    })
    expect(bus.tryReceive('agent-A')).toBeUndefined()
    expect(bus.stats()).toMatchObject({ sent: 2, deliveries: 2, delivered: 2, pending: 0 })
    expect(time.pending).toBe(0)
  })

  it('reject with the error that came back', async () => {
    const { bus } = createBus()
    const answer = expect(bus.request('b', {})).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      message: expect.stringContaining('no cup here'),
      details: { payload: { message: 'no cup here' } },
    })
    await bus.reply(await bus.receive('b'), { message: 'no cup here' }, { message_type: 'error' })
    await answer
  })

  it('time out, and a late answer is a dead letter, not a failure of the one who answers', async () => {
    const { bus, time } = createBus()
    const answer = expect(bus.request('b', {}, { timeout: 500 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    const request = await bus.receive('b')
    await time.pass(500)
    await answer
    await bus.reply(request, {})
    await bus.reply(request, {})
    expect(bus.stats()).toMatchObject({ deadLetters: { LATE_RESPONSE: 2 }, pending: 0 })
    expect(bus.tryReceive('system')).toBeUndefined()
  })

  it('wait as long as they live unless told otherwise, and end with their signal', async () => {
    const { bus, time } = createBus()
    const answer = expect(bus.request('b', {}, { ttl: 7 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    await time.pass(7000)
    await answer
    const controller = new AbortController()
    const aborted = expect(bus.request('b', {}, { signal: controller.signal })).rejects.toThrow('stop')
    controller.abort(new Error('stop'))
    await aborted
    expect(time.pending).toBe(0)
  })

  it('fail at once when nobody can answer', async () => {
    const { bus } = createBus({ agents: (id) => id !== 'nobody' })
    await expect(bus.request('nobody', {})).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      details: { reason: 'UNKNOWN_RECIPIENT' },
    })
    const answer = expect(bus.request('b', {})).rejects.toMatchObject({ details: { reason: 'AGENT_ENDED' } })
    await bus.receive('b')
    bus.closeMailbox('b')
    await answer
    await expect(bus.request('b', {}, { sender_id: 'nobody' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('may be answered with send, by a record, and by nobody else', async () => {
    const { bus } = createBus()
    const first = bus.request('b', {}, { sender_id: 'a' })
    const { correlation_id } = await bus.receive('b')
    const response = { message_type: 'response', payload: {}, recipient_id: 'a', correlation_id } as const
    await expect(bus.dispatch({ ...response, sender_id: 'c' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await bus.dispatch({ ...response, sender_id: 'b' })
    expect(await first).toMatchObject({ message_type: 'response' })
    const event = await bus.send('b', {}, { sender_id: 'a', correlation_id: 'c-1' })
    await expect(bus.reply(event, {})).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(bus.tryReceive('b')).toBe(event)
    const second = bus.request('b', {}, { sender_id: 'a' })
    const request = await bus.receive('b')
    const sent = await bus.send('a', { ok: true }, { sender_id: 'b', correlation_id: request.correlation_id ?? '' })
    expect(sent.message_type).toBe('response')
    expect(await second).toBe(sent)
  })

  it('need a correlation of their own', async () => {
    const { bus } = createBus()
    const first = bus.request('b', {}, { correlation_id: 'c-1' })
    await expect(bus.request('b', {}, { correlation_id: 'c-1' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await bus.reply(await bus.receive('b'), { n: 1 })
    expect((await first).payload).toEqual({ n: 1 })
  })

  it('made with send are answered into the mailbox', async () => {
    const { bus } = createBus()
    await bus.send('b', {}, { sender_id: 'a', message_type: 'request', correlation_id: 'corr-456' })
    await bus.reply(await bus.receive('b'), { ok: true })
    expect(await bus.receive('a')).toMatchObject({ correlation_id: 'corr-456', message_type: 'response' })
  })

  it('to a topic may have many answers', async () => {
    const { bus } = createBus()
    bus.subscribe('who', (message) => bus.reply(message, { id: 'b' }, { sender_id: 'b' }))
    bus.subscribe('who', (message) => bus.reply(message, { id: 'c' }, { sender_id: 'c' }))
    await bus.publish('who', {}, { sender_id: 'a', message_type: 'request' })
    await settle()
    expect([bus.tryReceive('a')?.payload, bus.tryReceive('a')?.payload]).toEqual([{ id: 'b' }, { id: 'c' }])
    const request = await bus.publish('who', {}, { sender_id: 'a', message_type: 'request' })
    await expect(bus.reply(request, {})).resolves.toMatchObject({ sender_id: 'system' })
  })

  it('do not pile up when nobody answers', async () => {
    const { bus, time } = createBus()
    void echo(bus, 'b').catch(() => {})
    for (let n = 0; n < 2000; n++) {
      await bus.send('c', {}, { message_type: 'request', ttl: 1 })
      if (n % 100 === 0) await time.pass(1000)
    }
    await expect(bus.request('b', { n: 1 })).resolves.toMatchObject({ payload: { echo: { n: 1 } } })
  })
})

describe('waiting in a circle', () => {
  const request = (bus: MessageBus, from: string, to: string) => bus.request(to, {}, { sender_id: from })

  it('is refused with the circle, and the others go on', async () => {
    const { bus } = createBus()
    const outer = request(bus, 'a', 'b')
    const middle = request(bus, 'b', 'c')
    await expect(request(bus, 'c', 'a')).rejects.toMatchObject({
      code: 'WAIT_CYCLE',
      details: { path: ['c', 'a', 'b', 'c'] },
    })
    await bus.reply(await bus.receive('c'), { done: 1 })
    await middle
    await bus.reply(await bus.receive('b'), { done: 2 })
    expect((await outer).payload).toEqual({ done: 2 })
  })

  it('with oneself is a circle too', async () => {
    const { bus } = createBus()
    await expect(request(bus, 'a', 'a')).rejects.toMatchObject({ code: 'WAIT_CYCLE', details: { path: ['a', 'a'] } })
  })

  it('is over when a request has ended, however it ended', async () => {
    const { bus, time } = createBus()
    const first = expect(bus.request('b', {}, { sender_id: 'a', timeout: 10 })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    })
    await time.pass(10)
    await first
    const second = request(bus, 'b', 'a')
    await bus.reply(await bus.receive('a'), {})
    await expect(second).resolves.toBeDefined()
  })

  it('counts each of several waits', async () => {
    const { bus } = createBus()
    const [first, second] = [request(bus, 'a', 'b'), request(bus, 'a', 'b')]
    await bus.reply(await bus.receive('b'), {})
    await first
    await expect(request(bus, 'b', 'a')).rejects.toMatchObject({ code: 'WAIT_CYCLE' })
    await bus.reply(await bus.receive('b'), {})
    await second
  })
})
