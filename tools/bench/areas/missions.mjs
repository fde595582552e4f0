// @ts-check
import { execFileSync } from 'node:child_process'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe } from '../measure.mjs'
import { peerNode, peersFolder, peerVersion } from '../missions/peers.mjs'

/** @import { Bench } from '../area.mjs' */
/** @import { Cost } from '../missions/run.mjs' */

const entry = fileURLToPath(new URL('../missions/run.mjs', import.meta.url))
const tasks = 160

/** Peers and we take turns so often, in processes of their own. */
const turns = 3

/**
 * Missions of no-op tasks, each engine in a process of its own. A server at `MINIONS_TEST_POSTGRES_URL` and the peers in
 * the folder `MINIONS_BENCH_PEERS`; rows that lack them are left out and say so.
 *
 * @param {Bench} bench
 */
export default async function (bench) {
  const sqlite = costOf({ engine: 'ours', storage: 'sqlite', lanes: 1 })
  bench.value({
    name: 'client CPU of a no-op mission task on SQLite, one after another',
    value: median(sqlite, ({ cpu }) => cpu),
    unit: 'ms',
    bar: 2,
    from: 'less than a peer needs on a database',
  })
  const langgraph = peerVersion('@langchain/langgraph')
  if (langgraph === undefined)
    bench.leaveOut({ name: 'no-op mission tasks in memory, against LangGraph', note: 'set MINIONS_BENCH_PEERS' })
  else {
    const [own, others] = takeTurns({ engine: 'ours', ...memory }, { engine: 'langgraph', ...memory })
    bench.compared({
      name: 'no-op mission tasks in memory, one after another',
      ...times(own, others),
      peerName: `LangGraph ${langgraph}, steps with its MemorySaver`,
      bar: 1,
      from: 'as quick as the peer',
    })
  }
  const server = env.MINIONS_TEST_POSTGRES_URL
  if (!server)
    return bench.leaveOut({ name: 'no-op mission tasks on PostgreSQL', note: 'set MINIONS_TEST_POSTGRES_URL' })
  await inDatabases(server, ['ours', 'langgraph', 'dbos'], (urls) => onPostgres(bench, urls))
}

const memory = { storage: 'memory:', lanes: 1 }

/** @param {Bench} bench @param {Record<string, string>} urls */
function onPostgres(bench, urls) {
  const chain = costOf({ engine: 'ours', storage: urls.ours, lanes: 1 })
  const wide = costOf({ engine: 'ours', storage: urls.ours, lanes: 16 })
  bench.value({
    name: 'queries of a no-op mission task on PostgreSQL, one after another',
    value: median(chain, ({ queries }) => queries),
    unit: 'queries',
    bar: 12,
    from: 'what LangGraph needs for a step',
    note: 'everything counted: leases, notices, beginning and end of the mission',
  })
  bench.value({
    name: 'client CPU of a no-op mission task on PostgreSQL, one after another',
    value: median(chain, ({ cpu }) => cpu),
    unit: 'ms',
    bar: 3,
    from: 'what LangGraph needs for a step',
  })
  bench.value({
    name: 'queries with sixteen at once, to those one after another',
    value: median(wide, ({ queries }) => queries) / median(chain, ({ queries }) => queries),
    unit: '×',
    bar: 1.15,
    from: 'no storms of retries',
  })
  bench.value({
    name: 'client CPU with sixteen at once, to that one after another',
    value: median(wide, ({ cpu }) => cpu) / median(chain, ({ cpu }) => cpu),
    unit: '×',
    bar: 1.15,
    from: 'no storms of retries',
  })
  const peers = /** @type {const} */ ([
    ['langgraph', '@langchain/langgraph', 'LangGraph', 'steps with its PostgresSaver', 'one after another', 1],
    ['dbos', '@dbos-inc/dbos-sdk', 'DBOS', 'steps of four workflows', 'four at a time', 4],
  ])
  for (const [engine, module, title, what, how, lanes] of peers) {
    const version = peerVersion(module)
    const name = `no-op mission tasks on PostgreSQL, ${how}`
    if (version === undefined) {
      bench.leaveOut({ name: `${name}, against ${title}`, note: 'set MINIONS_BENCH_PEERS' })
      continue
    }
    const [own, others] = takeTurns(
      { engine: 'ours', storage: urls.ours, lanes },
      { engine, storage: urls[engine], lanes },
    )
    bench.compared({
      name,
      ...times(own, others),
      peerName: `${title} ${version}, ${what}`,
      bar: 1,
      from: 'as quick as the peer',
      note: `the peer: ${round(median(others, ({ queries }) => queries))} queries and ${round(median(others, ({ cpu }) => cpu))} ms of CPU each`,
    })
  }
}

/** @param {Record<string, unknown>} options @returns {Cost[]} */
function costOf(options) {
  // The driver of SQLite is compiled for the Node that runs this.
  const node = options.storage === 'sqlite' ? execPath : peerNode()
  const given = JSON.stringify({ tasks, peers: peersFolder, ...options })
  const output = execFileSync(node, [entry, given], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return JSON.parse(output.trim().split('\n').at(-1) ?? '[]')
}

/** @param {Record<string, unknown>} ours @param {Record<string, unknown>} peer @returns {[Cost[], Cost[]]} */
function takeTurns(ours, peer) {
  /** @type {[Cost[], Cost[]]} */
  const costs = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    costs[0].push(...costOf(ours))
    costs[1].push(...costOf(peer))
  }
  return costs
}

/** @param {Cost[]} own @param {Cost[]} others */
function times(own, others) {
  const milliseconds = (/** @type {Cost} */ cost) => cost.milliseconds
  return { own: own.map(milliseconds), others: others.map(milliseconds) }
}

/** @param {Cost[]} costs @param {(cost: Cost) => number} of */
function median(costs, of) {
  return describe(costs.map(of)).median
}

/** @param {number} value */
function round(value) {
  return Number(value.toPrecision(2))
}

/** Gives each name a database of its own, and removes them. @param {string} server @param {string[]} names @param {(urls: Record<string, string>) => unknown} work */
async function inDatabases(server, names, work) {
  const client = new pg.Client(server)
  await client.connect()
  const databases = names.map((name) => `minions_bench_${name}_${process.pid}`)
  try {
    for (const database of databases) await client.query(`CREATE DATABASE ${database}`)
    const urls = names.map((name, index) => {
      const url = new URL(server)
      url.pathname = `/${databases[index]}`
      return [name, url.href]
    })
    await work(Object.fromEntries(urls))
  } finally {
    for (const database of databases) await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
    await client.end()
  }
}
