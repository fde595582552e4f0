// @ts-check
// Runs no-op tasks through one engine in a process of its own, and prints what they took:
// `node run.mjs '{"engine":"ours","storage":"memory:","tasks":200,"lanes":1}'`.
import { argv, cpuUsage } from 'node:process'
import { dbos } from './dbos.mjs'
import { langgraph } from './langgraph.mjs'

/**
 * @typedef {{ storage: string, lanes: number, peers: string }} EngineOptions
 *   `storage`: `memory:`, `sqlite` or the URL of a database; `lanes`: tasks at once; `peers`: folder of the peers.
 * @typedef {(options: EngineOptions) => Promise<{
 *   run: (tasks: number) => Promise<void>, close: () => unknown, queries: () => number
 * }>} Engine
 * @typedef {{ milliseconds: number, cpu: number, queries: number }} Cost of one task; `cpu` in milliseconds
 */

const { engine, tasks, rounds = 3, ...options } = JSON.parse(argv[2] ?? '{}')
/** Ours is loaded when it is asked for: it has not the Node of the peers. @type {Record<string, () => Promise<Engine>>} */
const engines = {
  ours: async () => (await import('./ours.mjs')).ours,
  langgraph: async () => langgraph,
  dbos: async () => dbos,
}
const make = engines[engine]
if (!make) throw new Error(`No such engine: ${engine}. Engines: ${Object.keys(engines).join(', ')}`)
const { run, close, queries } = await (await make())(options)
await run(tasks)
/** @type {Cost[]} */
const costs = []
for (let round = 0; round < rounds; round++) {
  const before = { queries: queries(), time: performance.now(), cpu: cpuUsage() }
  await run(tasks)
  const { user, system } = cpuUsage(before.cpu)
  costs.push({
    milliseconds: (performance.now() - before.time) / tasks,
    cpu: (user + system) / 1000 / tasks,
    queries: (queries() - before.queries) / tasks,
  })
}
await close()
console.log(JSON.stringify(costs))
process.exit(0)
