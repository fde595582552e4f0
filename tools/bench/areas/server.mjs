// @ts-check
import { connection, listener, moment, startChild } from '../server/raw-client.mjs'

/** @import { Bench } from '../area.mjs' */

/** Requests that are under way at the same time. */
const CONNECTIONS = 16

/** Headers that Node adds to every answer. */
const BY_NODE = new Set(['connection', 'date', 'keep-alive'])

/** Commits that listeners hear of. */
const COMMITS = 50

/** @param {Bench} bench */
export default async function (bench) {
  await gets(bench)
  await listeners(bench)
  await idle(bench)
}

/** @param {Bench} bench */
async function gets(bench) {
  const ours = await startChild('app')
  const { port, key, note } = ours.started
  const path = `/api/operations/objects.get?id=${note}`
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`The server answered ${body}`)
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !BY_NODE.has(name)))
  const bare = await startChild('bare', JSON.stringify({ body, headers }))
  const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`
  const open = (/** @type {number} */ to) =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => connection(to, request)))
  const [own, others] = [await open(port), await open(bare.started.port)]
  const all = (/** @type {typeof own} */ connections) => () => Promise.all(connections.map(({ send }) => send()))
  try {
    await bench.compare({
      name: `get by id over HTTP, ${CONNECTIONS} at a time`,
      ours: all(own),
      peer: all(others),
      peerName: 'a bare Hono route',
      note: `the same bytes, ${body.length} of them from SQLite; ours checks host, origin and key, counts the request, and reads and checks the record`,
      bar: 0.6,
      from: 'the framework alone: what the checks of a server may cost',
      rounds: 31,
    })
    const used = await cpuOfRounds([
      [ours, all(own)],
      [bare, all(others)],
    ])
    bench.compared({
      name: `get by id over HTTP, ${CONNECTIONS} at a time, by what the processors do for the server`,
      own: used[0] ?? [],
      others: used[1] ?? [],
      peerName: 'a bare Hono route',
      note: 'the same on a machine that is busy with something else',
    })
  } finally {
    for (const { close } of [...own, ...others]) close()
    await Promise.all([ours.end(), bare.end()])
  }
}

/**
 * Milliseconds of CPU that servers take for a work, one entry a round, in interleaved rounds.
 * @param {[Awaited<ReturnType<typeof startChild>>, () => Promise<unknown>][]} works
 */
async function cpuOfRounds(works) {
  /** @type {number[][]} */
  const times = works.map(() => [])
  for (let round = 0; round < 15; round++) {
    for (const [index, [child, work]] of works.entries()) {
      const before = (await child.tell({ does: 'cpu' })).cpu
      for (let done = 0; done < 100; done++) await work()
      times[index]?.push(((await child.tell({ does: 'cpu' })).cpu - before) / 100)
    }
  }
  return times
}

/** @param {Bench} bench */
async function listeners(bench) {
  const count = 1000
  const child = await startChild('app')
  const { mission } = child.started
  /** @type {number[]} */
  let heardAt = []
  const open = await openListeners(child.started, `?mission=${mission}`, count, () => heardAt.push(moment()))
  /** @type {number[]} */
  const delays = []
  const before = (await child.tell({ does: 'cpu' })).cpu
  for (let artifact = 0; artifact < COMMITS; artifact++) {
    heardAt = []
    const { at } = await child.tell({ does: 'commit', artifact })
    while (heardAt.length < count) await pause(1)
    delays.push(...heardAt.map((heard) => Math.max(0, heard - at)))
  }
  const cpu = ((await child.tell({ does: 'cpu' })).cpu - before) / COMMITS
  const { rss } = await child.tell({ does: 'memory' })
  for (const { close } of open) close()
  await child.end()
  delays.sort((a, b) => a - b)
  const at = (/** @type {number} */ share) => delays[Math.floor(share * (delays.length - 1))] ?? Number.NaN
  const note = `${COMMITS} commits`
  bench.value({
    name: `from commit to ${count.toLocaleString('en')} listeners on one mission, p50`,
    value: at(0.5),
    unit: 'ms',
    note,
  })
  bench.value({
    name: `from commit to ${count.toLocaleString('en')} listeners on one mission, p99`,
    value: at(0.99),
    unit: 'ms',
    bar: 100,
    from: 'what a person notices',
    note,
  })
  bench.value({
    name: `to tell ${count.toLocaleString('en')} listeners of a commit`,
    value: cpu,
    unit: 'ms CPU',
    note: `${note}; the commit included`,
  })
  bench.value({
    name: `memory of a server with ${count.toLocaleString('en')} listeners`,
    value: rss / 2 ** 20,
    unit: 'MB',
    bar: 200,
    from: 'what a small container has left',
  })
}

/** @param {Bench} bench */
async function idle(bench) {
  const count = 10_000
  const child = await startChild('app')
  let heard = 0
  const open = await openListeners(child.started, '', count, () => {
    heard += 1
  })
  // Longer than it takes until all are given a sign of life.
  await pause(20_000)
  const survived = open.filter(({ isOpen }) => isOpen()).length
  const { status } = await fetch(`http://127.0.0.1:${child.started.port}/api/ready`)
  if (status !== 200) throw new Error(`The server answered ${status}`)
  await child.tell({ does: 'commit', artifact: 0 })
  for (const deadline = moment() + 30_000; heard < count && moment() < deadline; ) await pause(10)
  const { rss } = await child.tell({ does: 'memory' })
  for (const { close } of open) close()
  await child.end()
  const note = `${(rss / 2 ** 20).toFixed(0)} MB; ${heard.toLocaleString('en')} of them heard of a commit afterwards`
  bench.value({
    name: 'idle listeners that are still there after 20 s',
    value: Math.min(survived, heard),
    unit: '',
    bar: count,
    from: 'every one of them must stay',
    atLeast: true,
    note,
  })
}

/**
 * @param {{ port: number, key: string, tenant: string }} server
 * @param {string} query
 * @param {number} count
 * @param {() => void} onEvent
 */
async function openListeners({ port, key, tenant }, query, count, onEvent) {
  const head = `GET /api/events${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\nminions-tenant: ${tenant}\r\n\r\n`
  /** @type {Awaited<ReturnType<typeof listener>>[]} */
  const open = []
  // A few hundred at a time, since more would wait in the queue of the system.
  while (open.length < count) {
    const some = Math.min(200, count - open.length)
    open.push(...(await Promise.all(Array.from({ length: some }, () => listener(port, head, onEvent)))))
  }
  return open
}

/** @param {number} milliseconds @returns {Promise<void>} */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
