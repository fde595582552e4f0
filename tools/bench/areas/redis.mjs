// @ts-check
import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import { redisTransport } from '@minions/redis'
import { MessageBus } from '@minions/skills-runtime'
import { inTurn, words } from '../data.mjs'

/** @import { Bench } from '../area.mjs' */

const { below, text } = words(5)

/** Payloads of several sizes and shapes. */
const payloads = Array.from({ length: 256 }, (_, index) => ({
  x: index,
  place: text(1 + below(4)),
  ...(below(2) === 0 && { path: Array.from({ length: below(6) }, () => ({ at: text(1), speed: below(100) })) }),
}))

const MESSAGES = 20_000
const AT_ONCE = 200

/** Messages over the Redis at `MINIONS_TEST_REDIS_URL`, between two members in this process. @param {Bench} bench */
export default async function (bench) {
  const url = env.MINIONS_TEST_REDIS_URL
  const name = 'messages a minute over Redis, to a topic'
  if (!url) return bench.leaveOut({ name, note: 'set MINIONS_TEST_REDIS_URL' })
  const prefix = `bench-${randomUUID()}`
  const transports = [await redisTransport({ url, prefix }), await redisTransport({ url, prefix })]
  const [here, there] = transports.map((transport) => new MessageBus({ transport, mailboxLimit: 100_000 }))
  if (!here || !there) throw new Error('there are two buses')
  let received = 0
  there.subscribe('bench', () => {
    received++
  })
  const next = inTurn(payloads)
  /** @param {number} count */
  const publish = async (count) => {
    let remaining = count
    const lane = async () => {
      while (remaining-- > 0) await here.publish('bench', next())
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
  }
  await publish(2000)
  received = 0
  const started = performance.now()
  await publish(MESSAGES)
  const perMinute = (MESSAGES / (performance.now() - started)) * 60_000
  if (received !== MESSAGES) throw new Error(`${MESSAGES - received} messages were lost`)
  const note = `${MESSAGES.toLocaleString('en')} acknowledged messages, ${AT_ONCE} at a time; sender and receiver share one thread`
  bench.value({
    name,
    value: perMinute,
    unit: 'messages',
    bar: 100_000,
    from: 'a minute of a busy cluster',
    atLeast: true,
    note,
  })
  await requests(bench, here, there)
  await Promise.all([here.close(), there.close()])
  for (const transport of transports) await transport.close()
}

/** @param {Bench} bench @param {MessageBus} here @param {MessageBus} there */
async function requests(bench, here, there) {
  const serve = async () => {
    for (;;) await there.reply(await there.receive('echo'), { n: 1 })
  }
  serve().catch(() => {})
  const times = []
  for (let n = 0; n < 520; n++) {
    const started = performance.now()
    await here.request('echo', { n })
    if (n >= 20) times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const note = '500 requests, one after another'
  bench.value({ name: 'request and response over Redis, p50', value: times[250] ?? Number.NaN, unit: 'ms', note })
}
