import assert from 'node:assert/strict'
import type { MessageBusOptions } from '../bus/bus-options.js'
import { completeMessage } from '../bus/message/compose-message.js'
import type { SentMessage } from '../bus/message/sent-message.js'
import { MessageBus } from '../bus/message-bus.js'
import type { MessageTransport, TransportEndpoint } from '../bus/transport/transport.js'

/** A network of transports to test. */
export interface TransportNetwork {
  /** Another member of the network, as in another process. */
  join(): MessageTransport | Promise<MessageTransport>
  close?(): void | Promise<void>
}

/** One requirement of every transport. */
export interface TransportCase {
  readonly name: string
  /** Rejects if the transport fails it. Each run gets its own network. */
  run(createNetwork: () => TransportNetwork | Promise<TransportNetwork>): Promise<void>
}

class Recorder implements TransportEndpoint {
  readonly got: SentMessage[] = []
  readonly #takes: boolean | Promise<boolean>

  constructor(takes: boolean | Promise<boolean> = true) {
    this.#takes = takes
  }

  deliver(message: SentMessage): boolean | Promise<boolean> {
    this.got.push(message)
    return this.#takes
  }

  get numbers(): unknown[] {
    return this.got.map(({ payload }) => payload.n)
  }
}

let messages = 0

/** Milliseconds until a case gives up on a missing message. */
const PATIENCE = 10_000

function message(to: { topic: string } | { recipient_id: string }, payload: Record<string, unknown> = {}): SentMessage {
  const draft = { sender_id: 'system', message_type: 'event', ...to, payload } as const
  return completeMessage(draft, () => `message-${++messages}`, Date.now())
}

function transportCase(name: string, test: (network: TransportNetwork) => Promise<void>): TransportCase {
  return {
    name,
    async run(createNetwork) {
      const network = await createNetwork()
      try {
        await test(network)
      } finally {
        await network.close?.()
      }
    },
  }
}

/** A case on two buses of a network. */
function busCase(
  name: string,
  options: readonly [MessageBusOptions, MessageBusOptions],
  test: (here: MessageBus, there: MessageBus) => Promise<void>,
): TransportCase {
  return transportCase(name, async (network) => {
    const open = async (one: MessageBusOptions) => new MessageBus({ ...one, transport: await network.join() })
    const [here, there] = [await open(options[0]), await open(options[1])]
    await test(here, there)
    await Promise.all([here.close(), there.close()])
  })
}

async function connect(network: TransportNetwork, ...endpoints: TransportEndpoint[]) {
  const links = []
  for (const endpoint of endpoints) links.push((await network.join()).connect(endpoint))
  return links as [ReturnType<MessageTransport['connect']>, ...ReturnType<MessageTransport['connect']>[]]
}

/** Options of a bus that knows these agents and no others. */
function only(...ids: string[]): MessageBusOptions {
  return { agents: (id) => ids.includes(id) }
}

const small: MessageBusOptions = { ...only('agent-b'), mailboxLimit: 1, overflow: 'reject' }

/** The requirements of a `MessageTransport`. Run each with your test runner: `it(name, () => run(createNetwork))`. */
export const messageTransportCases: readonly TransportCase[] = [
  transportCase('delivers a message with a topic to every endpoint once, the own included', async (network) => {
    const endpoints = [new Recorder(), new Recorder(), new Recorder()]
    const [link] = await connect(network, ...endpoints)
    const sent = message({ topic: 'a.b' }, { n: 1 })
    assert.equal(await link.dispatch(sent), 3)
    for (const endpoint of endpoints) assert.deepEqual(endpoint.got, [sent])
  }),

  transportCase('delivers a message with a recipient to one endpoint that takes it', async (network) => {
    const endpoints = [new Recorder(false), new Recorder(), new Recorder(Promise.resolve(true))]
    const [link] = await connect(network, ...endpoints)
    assert.equal(await link.dispatch(message({ recipient_id: 'agent-1' })), 1)
    const taken = (endpoints[1]?.got.length ?? 0) + (endpoints[2]?.got.length ?? 0)
    assert.equal(taken, 1)
  }),

  transportCase('says when no endpoint took a message', async (network) => {
    const [link] = await connect(network, new Recorder(false), new Recorder(Promise.resolve(false)))
    assert.equal(await link.dispatch(message({ recipient_id: 'agent-1' })), 0)
    assert.equal(await link.dispatch(message({ topic: 'a' })), 0)
  }),

  transportCase('keeps the order of one link', async (network) => {
    const other = new Recorder()
    const [link] = await connect(network, new Recorder(), other)
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    await Promise.all(numbers.map((n) => link.dispatch(message({ topic: 'a' }, { n }))))
    assert.deepEqual(other.numbers, numbers)
  }),

  transportCase('carries every JSON value unchanged', async (network) => {
    const other = new Recorder()
    const [link] = await connect(network, new Recorder(), other)
    const payload = JSON.parse('{"__proto__":{"a":1},"toString":[null,true,1e-7,"\\u2028 😀"],"":{"deep":[[[]]]}}')
    const sent = message({ topic: 'with spaces and ünïcode ** .' }, payload)
    await link.dispatch(sent)
    assert.equal(JSON.stringify(other.got[0]), JSON.stringify(sent))
  }),

  transportCase('waits for an endpoint that makes it wait', async (network) => {
    let admit = (_: boolean) => {}
    const slow = new Recorder(new Promise((resolve) => (admit = resolve)))
    const [link] = await connect(network, new Recorder(), slow)
    let isDone = false
    const dispatched = Promise.resolve(link.dispatch(message({ topic: 'a' }))).then((count) => {
      isDone = true
      return count
    })
    while (slow.got.length === 0 && !isDone) await turn()
    await turn()
    assert.equal(isDone, false)
    admit(true)
    assert.equal(await dispatched, 2)
  }),

  transportCase('forgets an endpoint that has left', async (network) => {
    const [stays, leaves] = [new Recorder(), new Recorder()]
    const [link, leaving] = await connect(network, stays, leaves)
    await leaving?.close()
    assert.equal(await link.dispatch(message({ topic: 'a' })), 1)
    assert.equal(await leaving?.dispatch(message({ topic: 'a' })), 0)
    assert.equal(stays.got.length, 1)
    assert.equal(leaves.got.length, 0)
  }),

  transportCase('delivers to an endpoint that joins later what is sent later', async (network) => {
    const [link] = await connect(network, new Recorder())
    await link.dispatch(message({ topic: 'a' }, { n: 1 }))
    const late = new Recorder()
    await connect(network, late)
    await link.dispatch(message({ topic: 'a' }, { n: 2 }))
    assert.deepEqual(late.numbers, [2])
  }),

  transportCase('delivers nothing after it was closed', async (network) => {
    const endpoint = new Recorder()
    const transport = await network.join()
    const link = transport.connect(endpoint)
    await transport.close()
    assert.equal(await link.dispatch(message({ topic: 'a' })), 0)
    assert.equal(endpoint.got.length, 0)
  }),

  transportCase('delivers once when many send at the same time', async (network) => {
    const endpoints = Array.from({ length: 5 }, () => new Recorder())
    const links = await connect(network, ...endpoints)
    const sent = links.flatMap((link) => Array.from({ length: 40 }, () => ({ link, message: message({ topic: 'a' }) })))
    const taken = await Promise.all(sent.map((one) => one.link.dispatch(one.message)))
    assert.deepEqual(new Set(taken), new Set([5]))
    const ids = sent.map((one) => one.message.message_id).sort()
    for (const { got } of endpoints) assert.deepEqual(got.map(({ message_id }) => message_id).sort(), ids)
  }),

  busCase('carries requests and responses between buses', [only('agent-a'), only('agent-b')], async (here, there) => {
    const heard: string[] = []
    there.subscribe('news.*', ({ topic }) => heard.push(String(topic)))
    await here.publish('news.one', {}, { sender_id: 'agent-a' })
    const answering = there.receive('agent-b').then((request) => there.reply(request, { n: 2 }))
    const response = await here.request('agent-b', { n: 1 }, { sender_id: 'agent-a' })
    await answering
    assert.deepEqual(response.payload, { n: 2 })
    assert.deepEqual(heard, ['news.one'])
    assert.equal(there.stats().deadLettered + here.stats().deadLettered, 0)
  }),

  busCase('carries the response to the bus that waits for it, whichever bus asks', [{}, {}], async (here, there) => {
    const answering = there.receive('agent-b').then((request) => there.reply(request, { n: 2 }))
    // Both buses would take mail for any agent and for the system, so it is the wait that decides.
    const response = await here.request('agent-b', { n: 1 }, { timeout: PATIENCE })
    await answering
    assert.deepEqual(response.payload, { n: 2 })
  }),

  busCase('carries mail to the bus where its recipient receives', [{}, {}], async (here, there) => {
    const receiving = there.receive('agent-b')
    await here.send('agent-b', { n: 1 })
    assert.equal(there.stats().delivered, 1)
    assert.deepEqual((await receiving).payload, { n: 1 })
    // It has a mailbox there now, and need not wait in order to get its mail.
    await here.send('agent-b', { n: 2 }, { priority: 2 })
    await here.send('agent-b', { n: 3 }, { priority: 1 })
    assert.deepEqual(there.tryReceive('agent-b')?.payload, { n: 3 })
    assert.deepEqual(there.tryReceive('agent-b')?.payload, { n: 2 })
    assert.equal(here.stats().deliveries, 0)
  }),

  busCase('sends mail after a recipient that receives elsewhere', [{}, {}], async (here, there) => {
    await here.send('agent-b', { n: 1 })
    await here.send('agent-b', { n: 2 })
    assert.equal(here.stats().pending, 2)
    assert.deepEqual((await there.receive('agent-b', { timeout: PATIENCE })).payload, { n: 1 })
    assert.deepEqual((await there.receive('agent-b', { timeout: PATIENCE })).payload, { n: 2 })
    assert.equal(here.stats().pending, 0)
    assert.equal(there.stats().delivered, 2)
  }),

  busCase('tells the sender that the mailbox of its recipient is full', [only(), small], async (here) => {
    await here.send('agent-b', {})
    await assert.rejects(here.send('agent-b', {}), { code: 'MAILBOX_FULL' })
  }),
]

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
