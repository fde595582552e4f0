import { expect, it } from 'vitest'
import { MessageBus, type SentMessage } from '../../src/index.js'
import { ManualTime, settle } from './manual-time.js'

const AGENTS = 50
const MESSAGES = 10_000

it('delivers each of 10,000 messages among 50 agents once, or says what became of it', async () => {
  const random = randomNumbers(20_251_219)
  const time = new ManualTime()
  const bus = new MessageBus({
    clock: time.clock,
    timers: time,
    mailboxLimit: 40,
    deadLetterLimit: 100_000,
    agents: (id) => Number(id.slice(6)) < AGENTS,
  })
  const agents = Array.from({ length: AGENTS }, (_, index) => `agent-${index}`)
  /** What became of each copy of a message: message id and target, then the outcomes. */
  const fates = new Map<string, string[]>()
  const note = (message: SentMessage, target: string, fate: string) => {
    const key = `${message.message_id} ${target}`
    fates.set(key, [...(fates.get(key) ?? []), fate])
  }
  bus.events.on('expired', ({ message, target }) => note(message, target, 'expired'))
  bus.events.on('dead-letter', ({ message, target, reason }) => note(message, target, reason))

  for (const [index, agent] of agents.entries()) {
    bus.subscribe(`topic.${index % 10}`, async (message) => {
      if (random() < 0.3) await settle()
      if (random() < 0.1) throw new Error(`${agent} failed`)
      note(message, `topic.${index % 10}`, `handled by ${agent}`)
    })
  }
  // Agents read their mail when it pleases them, so some of it expires and some mailboxes fill up.
  const readSome = async (agent: string) => {
    for (let count = Math.floor(random() * 8); count > 0; count--) {
      const message = bus.tryReceive(agent)
      if (message === undefined) return
      note(message, agent, 'received')
      if (message.message_type === 'request') await bus.reply(message, { ok: true })
    }
  }

  const sending: Promise<unknown>[] = []
  const anyAgent = () => agents[Math.floor(random() * AGENTS)] as string
  let requests = 0
  let answers = 0
  for (let n = 0; n < MESSAGES; n++) {
    const options = {
      sender_id: anyAgent(),
      ttl: 1 + Math.floor(random() * 5),
      priority: 1 + Math.floor(random() * 10),
    }
    const kind = random()
    if (kind < 0.4) sending.push(bus.send(anyAgent(), { n }, options))
    else if (kind < 0.7) sending.push(bus.publish(`topic.${Math.floor(random() * 11)}`, { n }, options))
    else if (kind < 0.72) sending.push(bus.send(`agent-${AGENTS + 1}`, { n }, options))
    else {
      requests++
      const asked = bus.request(anyAgent(), { n }, { ...options, timeout: 1 + Math.floor(random() * 3000) })
      sending.push(asked.then(() => answers++).catch(() => {}))
    }
    if (random() < 0.5) await readSome(anyAgent())
    if (n % 50 === 0) await time.pass(Math.floor(random() * 400))
  }
  await time.pass(10_000)
  await Promise.all(sending)

  const stats = bus.stats()
  expect(stats.pending).toBe(0)
  expect(stats.delivered + stats.expired + stats.deadLettered).toBe(stats.deliveries)
  expect(time.pending).toBe(0)
  // Every way to end was taken, or the run shows nothing.
  for (const reason of ['UNKNOWN_RECIPIENT', 'NO_SUBSCRIBER', 'HANDLER_FAILED', 'LATE_RESPONSE'] as const) {
    expect(stats.deadLetters[reason], reason).toBeGreaterThan(50)
  }
  expect(stats.expired).toBeGreaterThan(100)
  expect(answers).toBeGreaterThan(100)
  expect(answers).toBeLessThan(requests)

  // Told one by one it must be the same: a direct message has one fate, one to a topic one for each subscriber.
  const told = [...fates.values()].flat()
  expect(told.filter((fate) => fate === 'expired')).toHaveLength(stats.expired)
  expect(told.length).toBe(stats.deliveries - answers)
  for (const [key, fate] of fates) {
    const isTopic = key.includes(' topic.')
    expect(new Set(fate.filter((one) => one.startsWith('handled'))).size).toBe(
      fate.filter((one) => one.startsWith('handled')).length,
    )
    if (isTopic)
      expect(fate.length === 5 || (fate.length === 1 && fate[0] === 'NO_SUBSCRIBER'), `${key}: ${fate}`).toBe(true)
    else expect(fate, key).toHaveLength(1)
  }
})

/** The same numbers in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state | 0, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
