import { memoryStorage } from '@minions/core/memory'
import { Store } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { describe, expect, it } from 'vitest'
import {
  defineSkill,
  MessageBus,
  type SkillContext,
  SubagentManager,
  skills,
  skillsCollections,
} from '../../src/index.js'
import { settle, VirtualClock } from '../../src/testing/index.js'

function skill(name: string, execute: (params: Record<string, unknown>, context: SkillContext) => Promise<object>) {
  return defineSkill({ name, version: '1.0.0', parameters_schema: { type: 'object' }, execute })
}

const ask = skill('ask', async ({ whom, timeout }, context) => {
  const response = await context.request(String(whom), { question: 1 }, { timeout: Number(timeout ?? 1000) })
  return { answer: response.payload, from: response.sender_id }
})

const answer = skill('answer', async ({ fail }, context) => {
  const request = await context.receive()
  await context.reply(request, { message: 'forty-two' }, { message_type: fail ? 'error' : 'response' })
  return { asked: request.payload, by: request.sender_id }
})

const tell = skill('tell', async ({ whom, topic }, context) => {
  const sent = topic ? await context.publish(String(topic), { n: 1 }) : await context.send(String(whom), { n: 2 })
  return { ...sent }
})

const listen = skill('listen', async (_, context) => ({ heard: (await context.receive({ timeout: 500 })).payload }))

const fail = skill('fail', async () => {
  throw new Error('no')
})

async function setUp(store?: Store, options: ConstructorParameters<typeof SubagentManager>[0] = {}) {
  const clock = new VirtualClock()
  const manager = await SubagentManager.open({ ...clock.parts, ...(store && { storage: store }), ...options })
  manager.registry.registerAll([ask, answer, tell, listen, fail])
  const spawn = async (name: string) => (await manager.spawn({ name })).agent_id
  return { clock, manager, spawn }
}

describe.each([
  ['in memory', async () => undefined],
  ['in a store', () => Store.open(memoryStorage(), skillsCollections)],
])('agents %s', (_, open) => {
  it('ask and answer as themselves', async () => {
    const { manager, spawn } = await setUp(await open())
    const [a, b] = [await spawn('a'), await spawn('b')]
    const answering = manager.run(b, 'answer')
    expect(await manager.run(a, 'ask', { whom: b })).toEqual({ answer: { message: 'forty-two' }, from: b })
    expect(await answering).toEqual({ asked: { question: 1 }, by: a })
    expect(manager.bus).toBeInstanceOf(MessageBus)
    expect(manager.bus.stats()).toMatchObject({ sent: 2, delivered: 2, pending: 0 })
    await manager.shutdown()
  })

  it('publish and send to whoever is there', async () => {
    const { manager, spawn } = await setUp(await open())
    const [a, b, c] = [await spawn('a'), await spawn('b'), await spawn('c')]
    const heard: unknown[] = []
    manager.bus.subscribe('news.*', ({ sender_id, payload }) => heard.push([sender_id, payload]))
    await manager.run(a, 'tell', { topic: 'news.one' })
    expect(heard).toEqual([[a, { n: 1 }]])
    const sent = await manager.run(b, 'tell', { whom: c })
    expect(sent).toMatchObject({ sender_id: b, recipient_id: c, message_type: 'event' })
    expect(await manager.run(c, 'listen')).toEqual({ heard: { n: 2 } })
    await manager.shutdown()
  })

  it('must exist to send, and be alive to receive', async () => {
    const { manager, spawn } = await setUp(await open())
    const [a, b] = [await spawn('a'), await spawn('b')]
    await expect(manager.bus.publish('t', {}, { sender_id: 'nobody' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    await manager.bus.send(b, {}, { sender_id: a })
    await manager.run(a, 'tell', { topic: 't' })
    await manager.bus.send(a, {})
    await manager.bus.send('nobody', {})
    expect(manager.bus.stats().deadLetters).toEqual({ NO_SUBSCRIBER: 1, AGENT_ENDED: 1, UNKNOWN_RECIPIENT: 1 })
    await manager.cancel(b)
    expect(manager.bus.stats().deadLetters).toMatchObject({ AGENT_ENDED: 2 })
    await manager.shutdown()
  })

  it('do not wait for one that has failed', async () => {
    const { manager, spawn } = await setUp(await open())
    const [a, b, c] = [await spawn('a'), await spawn('b'), await spawn('c')]
    const asking = manager.run(a, 'ask', { whom: b }).catch((error) => error)
    await settle()
    await manager.run(b, 'fail').catch(() => {})
    expect(await asking).toMatchObject({ code: 'SKILL_FAILED', details: { code: 'REQUEST_FAILED' } })
    const refused = manager.run(c, 'ask', { whom: b })
    await expect(refused).rejects.toMatchObject({ details: { code: 'REQUEST_FAILED' } })
    await manager.shutdown()
  })

  it('that wait in a circle are told, and the others get their answers', async () => {
    const { manager, spawn } = await setUp(await open())
    const [a, b, c] = [await spawn('a'), await spawn('b'), await spawn('c')]
    manager.registry.registerSkill(
      skill('pass-on', async ({ whom }, context) => {
        const request = await context.receive()
        const next = await context.request(String(whom), {}).catch((error) => error)
        await context.reply(request, { code: next.code ?? null, path: next.details?.path ?? null, ...next.payload })
        return {}
      }),
    )
    const passing = [manager.run(b, 'pass-on', { whom: c }), manager.run(c, 'pass-on', { whom: a })]
    const { answer: result } = (await manager.run(a, 'ask', { whom: b })) as { answer: object }
    expect(result).toEqual({ code: 'WAIT_CYCLE', path: [c, a, b, c] })
    await Promise.all(passing)
    await manager.shutdown()
  })

  it('time out alone', async () => {
    const { manager, spawn, clock } = await setUp(await open())
    const [a, b, c] = [await spawn('a'), await spawn('b'), await spawn('c')]
    const asking = manager.run(a, 'ask', { whom: b, timeout: 700 }).catch((error) => error)
    const listening = manager.run(c, 'listen').catch((error) => error)
    await clock.advance(1000)
    expect(await asking).toMatchObject({ details: { code: 'REQUEST_TIMEOUT' } })
    expect(await listening).toMatchObject({ details: { code: 'RECEIVE_TIMEOUT' } })
    expect(await manager.get(b)).toMatchObject({ state: 'idle' })
    await manager.shutdown()
  })

  it('leave no receiver behind that would swallow a message', async () => {
    const { manager, spawn } = await setUp(await open())
    const [a, b] = [await spawn('a'), await spawn('b')]
    const answering = manager.run(b, 'answer').catch((error) => error)
    await settle()
    await manager.cancel(b)
    expect(await answering).toMatchObject({ code: 'CANCELLED' })
    await manager.bus.send(b, {}, { sender_id: a })
    expect(manager.bus.stats()).toMatchObject({ delivered: 0, deadLetters: { AGENT_ENDED: 1 } })
    await manager.shutdown()
  })
})

describe('the bus of a manager', () => {
  it('stores messages when told to', async () => {
    const store = await Store.open(memoryStorage(), skillsCollections)
    const { manager, spawn } = await setUp(store, { messages: { persistence: true } })
    const a = await spawn('a')
    await manager.bus.send(a, { n: 1 })
    expect(await manager.bus.stored({ recipient_id: a })).toMatchObject([{ payload: { n: 1 } }])
    await manager.shutdown()
  })

  it('drains at shutdown, within the deadline', async () => {
    const { manager, clock } = await setUp()
    const handled: unknown[] = []
    manager.bus.subscribe('slow', async ({ payload }) => {
      await clock.sleep(1000)
      handled.push(payload.n)
    })
    for (const n of [1, 2, 3, 4, 5]) await manager.bus.publish('slow', { n })
    const closing = manager.shutdown(3500)
    await clock.advance(3500)
    await closing
    expect(handled).toEqual([1, 2, 3])
    expect(manager.bus.stats().deadLetters).toEqual({ CLOSED: 1 })
    await expect(manager.bus.publish('slow', {})).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('may be shared, and is then left open', async () => {
    const bus = new MessageBus()
    const { manager } = await setUp(undefined, { bus })
    expect(manager.bus).toBe(bus)
    await manager.shutdown()
    await expect(bus.publish('t', {})).resolves.toBeDefined()
  })

  it('is app.skills.bus', async () => {
    const app = await createMinions({ storage: 'memory:', plugins: [skills({ messages: { mailboxLimit: 5 } })] })
    const { agent_id } = await app.skills.spawn()
    await app.skills.bus.send(agent_id, { n: 1 })
    expect((await app.skills.bus.receive(agent_id)).payload).toEqual({ n: 1 })
    await app.close()
  })
})
