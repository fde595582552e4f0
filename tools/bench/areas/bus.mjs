// @ts-check
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defineSkill, MessageBus, WorkerRunner } from '@minions/skills-runtime'
import { EventEmitter } from 'eventemitter3'
import { Piscina } from 'piscina'
import { inTurn, words } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const { below, text } = words(3)

/** Payloads of several sizes and shapes. */
const payloads = Array.from({ length: 512 }, (_, index) => ({
  x: index,
  place: text(1 + below(4)),
  ...(below(2) === 0 && { path: Array.from({ length: below(6) }, () => ({ at: text(1), speed: below(100) })) }),
}))

/** @param {Bench} bench */
export default async function (bench) {
  await publishing(bench)
  await requests(bench)
  await workers(bench)
}

/** @param {Bench} bench */
async function publishing(bench) {
  const bus = new MessageBus()
  const emitter = new EventEmitter()
  let sum = 0
  /** @type {unknown[]} */
  const latest = []
  for (let subscriber = 0; subscriber < 10; subscriber++) {
    // Each keeps its message, since the optimizer would otherwise leave out making those of the peer.
    const handle = (/** @type {{ readonly payload: { readonly x?: unknown } }} */ message) => {
      sum += /** @type {number} */ (message.payload.x)
      latest[subscriber] = message
    }
    bus.subscribe('navigation.complete', handle)
    emitter.on('navigation.complete', handle)
  }
  // Hundreds at a time, since awaiting each would measure the queue of promises.
  const batch = 100
  const next = inTurn(payloads)
  await bench.compare({
    name: 'publish a message to ten subscribers',
    ours: async () => {
      let last
      for (let n = 0; n < batch; n++) last = bus.publish('navigation.complete', next())
      await last
      return sum
    },
    peer: () => {
      for (let n = 0; n < batch; n++) emitter.emit('navigation.complete', { payload: { ...next() } })
      return sum
    },
    peerName: 'eventemitter3',
    note: `${batch} messages a call; ours are checked, copied, frozen, given an id and a time, and counted`,
    bar: 0.2,
    from: 'an emitter that neither checks nor copies',
    rounds: 45,
  })
  const { deliveries, delivered } = bus.stats()
  if (deliveries !== delivered) throw new Error(`${deliveries - delivered} messages were lost`)
}

/** A hundred agents ask one another, all at the same time. @param {Bench} bench */
async function requests(bench) {
  const agents = Array.from({ length: 100 }, (_, index) => `agent-${index}`)
  const bus = new MessageBus()
  /** @param {string} agent */
  const serve = async (agent) => {
    for (;;) {
      const request = await bus.receive(agent)
      await bus.reply(request, { n: Number(request.payload.n) })
    }
  }
  for (const agent of agents) serve(agent).catch(() => {})
  /** @type {number[]} */
  const times = []
  const nextPayload = inTurn(payloads)
  // So many that a single hiccup of the machine is not one in a hundred.
  const rounds = 1000
  // The first round is for warming up.
  for (let round = 0; round <= rounds; round++) {
    await Promise.all(
      agents.map(async (_, index) => {
        const started = performance.now()
        // As the system, since an agent that asks one that asks it would wait in a circle.
        await bus.request(agents[(index * 7 + round) % agents.length] ?? '', { ...nextPayload(), n: index })
        if (round > 0) times.push(performance.now() - started)
      }),
    )
  }
  const { deliveries, delivered } = bus.stats()
  await bus.close()
  times.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => times[Math.floor(times.length * share)] ?? Number.NaN
  const from = 'what a person notices'
  const note = `${times.length.toLocaleString('en')} requests, a hundred at a time`
  bench.value({ name: 'request and response with 100 agents, p50', value: at(0.5), unit: 'ms', bar: 100, from, note })
  bench.value({ name: 'request and response with 100 agents, p99', value: at(0.99), unit: 'ms', bar: 100, from, note })
  const share = (100 * delivered) / deliveries
  bench.value({
    name: 'delivered among them',
    value: share,
    unit: '%',
    bar: 100,
    from: 'none may be lost',
    atLeast: true,
  })
}

/** @param {Bench} bench */
async function workers(bench) {
  const folder = await mkdtemp(join(tmpdir(), 'minions-bench-'))
  const file = join(folder, 'skill.mjs')
  await writeFile(file, 'export const execute = ({ n }) => ({ n: n + 1 })\n')
  const runner = new WorkerRunner({ threads: 1 })
  const pool = new Piscina({ filename: file, name: 'execute', minThreads: 1, maxThreads: 1 })
  const skill = defineSkill({
    name: 'add-one',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    isolation: 'worker',
    module: pathToFileURL(file),
  })
  const context = /** @type {import('@minions/skills-runtime').SkillContext} */ (
    /** @type {unknown} */ ({
      signal: new AbortController().signal,
      agentId: 'agent-1',
      executionId: 'execution-1',
      attempt: 1,
      idempotencyKey: 'key-1',
      state: undefined,
    })
  )
  let n = 0
  try {
    await bench.compare({
      name: 'dispatch a skill to a warm worker',
      ours: () => runner.run(skill, { n: n++ }, context),
      peer: () => pool.run({ n: n++ }),
      peerName: 'piscina',
      note: 'ours has a context and can be stopped',
      bar: 0.3,
      from: 'a pool that neither stops nor isolates',
      // A dispatch is mostly two threads waking one another, which varies more than other work.
      rounds: 45,
    })
  } finally {
    await Promise.all([runner.close(), pool.destroy(), rm(folder, { recursive: true })])
  }
}
