import { memoryStorage } from '@minions/core/memory'
import { Store } from '@minions/core/storage'
import { describe, expect, it } from 'vitest'
import { MessageBus, messagesCollection, validateMessage } from '../../src/index.js'
import { eventMessage, requestMessage, responseMessage } from '../examples.js'
import { ManualTime } from './manual-time.js'

async function createBus() {
  const time = new ManualTime()
  const store = await Store.open(memoryStorage(), [messagesCollection])
  return { time, store, bus: new MessageBus({ clock: time.clock, timers: time, store }) }
}

describe('stored messages', () => {
  it('have exactly the indexes of the specification', () => {
    const { key, indexes, unique, references } = messagesCollection.declaration
    expect(key).toEqual(['message_id'])
    expect(indexes).toEqual([['recipient_id'], ['topic'], ['correlation_id'], ['timestamp']])
    expect([unique, references]).toEqual([[], []])
  })

  it('are the records that were sent', async () => {
    const { bus, store } = await createBus()
    const direct = await bus.send('a', { n: 1 }, { sender_id: 'b' })
    const topic = await bus.publish('news', { n: 2 })
    expect(await store.get(messagesCollection, direct.message_id)).toEqual(direct)
    expect(await bus.stored({ recipient_id: 'a' })).toEqual([direct])
    expect(await bus.stored({ topic: 'news' })).toEqual([topic])
    expect((await bus.stored()).every((message) => validateMessage(message).valid)).toBe(true)
  })

  it('include the examples, and a response finds its request among them', async () => {
    const { bus, store } = await createBus()
    await bus.dispatch(eventMessage as never)
    await bus.dispatch(requestMessage as never)
    const later = new MessageBus({ store, clock: () => '2025-12-19T10:11:03.000Z' })
    await expect(later.dispatch({ ...responseMessage, correlation_id: 'corr-0' } as never)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await later.dispatch(responseMessage as never)
    const ids = (await later.stored({ correlation_id: 'corr-456' })).map(({ message_id }) => message_id)
    expect(ids).toEqual(['req-123', 'res-789'])
  })

  it('are not sent when they cannot be stored', async () => {
    const { bus } = await createBus()
    await bus.dispatch(eventMessage as never)
    await expect(bus.dispatch(eventMessage as never)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(bus.stats().sent).toBe(1)
  })

  it('are removed when their life ends', async () => {
    const { bus, time } = await createBus()
    await bus.send('a', {}, { ttl: 1 })
    const long = await bus.send('a', {}, { ttl: 3600 })
    await time.pass(999)
    expect(await bus.cleanUp()).toBe(0)
    await time.pass(1)
    expect(await bus.cleanUp()).toBe(1)
    expect(await bus.stored()).toEqual([long])
  })

  it('are removed in passing too, once a minute', async () => {
    const { bus, time } = await createBus()
    await bus.send('a', {}, { ttl: 1 })
    await time.pass(59_999)
    await bus.send('a', {}, { ttl: 100 })
    expect(await bus.stored()).toHaveLength(2)
    await time.pass(1)
    await bus.send('a', {}, { ttl: 100 })
    await bus.close()
    expect(await bus.stored()).toHaveLength(2)
  })

  it('are asked for in vain on a bus that stores none', async () => {
    await expect(new MessageBus().stored()).rejects.toMatchObject({ code: 'CAPABILITY_MISSING' })
  })
})
