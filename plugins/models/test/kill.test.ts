import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createMinions } from '@minions/host'
import { skills } from '@minions/skills-runtime'
import { expect, onTestFinished, test } from 'vitest'
import { agents } from '../src/agents/index.js'
import { models } from '../src/index.js'
import type { FakeModelServer, FakeReply, FakeRequest } from '../src/testing/index.js'
import { fakeServer } from './support/app.js'
import { folder } from './support/mission.js'
import { travelAgent } from './support/travel-agent.mjs'

const CHILD = fileURLToPath(new URL('./support/killed-agent.mjs', import.meta.url))

/** Every point is tried once with `MINIONS_KILLS=50`; the suite tries some of them. */
const kills = Number(process.env.MINIONS_KILLS ?? 4)

/** Books, pays twice at once, and answers: three answers to pay for, three effects. */
const script: readonly FakeReply[] = [
  { toolCalls: [{ name: 'book', arguments: { what: 'ferry' } }] },
  {
    toolCalls: [
      { id: 'a', name: 'pay', arguments: { what: 'deposit' } },
      { id: 'b', name: 'pay', arguments: { what: 'fee' } },
    ],
  },
  { text: 'Booked and paid.' },
]

function play({ body }: FakeRequest): FakeReply {
  const answers = (body.messages as readonly { role: string }[]).filter(({ role }) => role === 'assistant').length
  return script[answers] as FakeReply
}

/** A service that honours idempotency keys, as those that take money do. */
async function ledger() {
  const effects = new Map<string, string>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { name, what, key } = JSON.parse(text) as { name: string; what: string; key: string }
    effects.set(key, `${name} ${what}`)
    response.end(`confirmed ${what}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { effects, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Round {
  readonly file: string
  readonly url: string
  readonly ledger: string
  readonly killAt: number
}

/** Runs the child to its end; resolves to the number of points it passed, or undefined when it was killed. */
async function runChild(round: Round, started: (kill: () => void) => void = () => {}): Promise<number | undefined> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(round)], { stdio: ['ignore', 'pipe', 'inherit'] })
  started(() => child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  if (signal === 'SIGKILL') return undefined
  return Number(said)
}

/** Goes on in this process with what is left of the run. */
async function finish({ file, url, ledger: address }: Round) {
  const app = await createMinions({
    storage: `sqlite:${file}`,
    plugins: [
      models({ environment: { MINIONS_MODEL: `openai-compatible:${url}#m` } }),
      skills({ leaseMs: 300 }),
      agents({ agents: [travelAgent(address)] }),
    ],
  })
  try {
    const known = (await app.skills.list()).find(({ name }) => name === 'killed')
    const { agent_id, state } = known ?? (await app.skills.spawn({ name: 'killed' }))
    if (state === 'idle') await app.skills.run(agent_id, 'travel', { input: 'Book it.' })
    else if (state === 'running') await app.skills.resume(agent_id)
    const ended = await app.skills.wait(agent_id)
    const pending = await app.skills.executions({ status: 'pending' })
    return { result: ended.results.travel, pending: pending.length }
  } finally {
    await app.close()
  }
}

function expectOnce(server: FakeModelServer, effects: ReadonlyMap<string, string>): void {
  expect([...effects.values()].sort()).toEqual(['book ferry', 'pay deposit', 'pay fee'])
  expect(server.paid).toBe(3)
}

test('an agent that is killed at any write makes each effect once and pays for no answer twice', {
  timeout: 1_200_000,
}, async () => {
  const reference = await fakeServer(play)
  const first = await ledger()
  const whole = { file: join(folder, 'whole.db'), url: reference.url, ledger: first.url, killAt: -1 }
  // A lease is renewed as time passes, so that runs do not all write equally often.
  let points = (await runChild(whole)) as number
  expectOnce(reference, first.effects)
  expect(points).toBeGreaterThan(20)
  let killed = 0
  for (let round = 0; killed < kills; round++) {
    const killAt = Math.floor((round * points) / kills) % points
    const server = await fakeServer(play)
    const { effects, url } = await ledger()
    const run = { file: join(folder, `kill-${round}.db`), url: server.url, ledger: url, killAt }
    const passed = await runChild(run)
    if (passed === undefined) killed++
    else points = Math.min(points, passed)
    expect(points).toBeGreaterThan(20)
    expect(await finish(run), `killed at ${killAt} of ${points}`).toMatchObject({
      result: { text: 'Booked and paid.', finish: 'stop', steps: 3, usage: { totalTokens: 45 } },
      pending: 0,
    })
    expectOnce(server, effects)
    await server.close()
  }
})

test.each([0, 1, 2])(
  'an agent that is killed while answer %i is on its way does not pay for it twice',
  async (answer) => {
    let kill = () => {}
    const server = await fakeServer((request) => {
      if (request.index === answer) kill()
      return play(request)
    })
    const { effects, url } = await ledger()
    const run = { file: join(folder, `on-its-way-${answer}.db`), url: server.url, ledger: url, killAt: -1 }
    const ended = await runChild(run, (end) => {
      kill = end
    })
    expect(ended).toBeUndefined()
    expect(await finish(run)).toMatchObject({ result: { text: 'Booked and paid.', steps: 3 }, pending: 0 })
    expectOnce(server, effects)
    expect(server.requests).toHaveLength(4)
  },
)
