// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { colony, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { sqlNames } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { defineSkill, skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import Database from 'better-sqlite3'
import { tasksOf } from '../layered-tasks.mjs'

/** @import { Bench } from '../area.mjs' */

const concurrency = 16

/** @param {Bench} bench */
export default async function (bench) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  try {
    await inMemory(bench, folder)
    await onSqlite(bench, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Bench} bench @param {string} folder */
async function inMemory(bench, folder) {
  const open = () => createApp('memory:', folder)
  await bench.compare({
    name: 'a mission of 1,000 no-op tasks in memory',
    ours: async () => runMission(await open(), 1_000),
    peer: async () => runSkills(await open(), 1_000),
    peerName: 'the same executions through the skills runtime',
    bar: 0.25,
    from: 'an execution alone: planning, checks and artifacts may take three times as long again',
    rounds: 5,
    note: `${concurrency} at once, a new store each time`,
  })
  await bench.growth({
    name: 'a mission of no-op tasks in memory',
    sizes: [500, 5_000],
    setup: (size) => async () => runMission(await open(), size),
    bar: 15,
    from: 'tenfold is linear; half as much again allows for memory',
    rounds: 3,
  })
}

/** @param {Bench} bench @param {string} folder */
async function onSqlite(bench, folder) {
  const size = 1_000
  const model = join(folder, 'model.db')
  await runMission(await createApp(`sqlite:${model}`, folder), size)
  let files = 0
  await bench.compare({
    name: 'a mission of 1,000 no-op tasks on SQLite',
    ours: async () => runMission(await createApp(`sqlite:${join(folder, `ours-${files++}.db`)}`, folder), size),
    peer: () => writeRaw(model, join(folder, `raw-${files++}.db`)),
    peerName: 'better-sqlite3, the rows of each task in three transactions',
    bar: 2,
    from: 'the driver itself: tasks that run at once share commits',
    rounds: 3,
  })
}

/** @param {string} storage @param {string} folder */
function createApp(storage, folder) {
  return createMinions({
    storage,
    from: import.meta.url,
    plugins: [
      prompts(),
      workspace({ configDir: folder, store: 'storage' }),
      skills({ limits: { agents: concurrency } }),
      colonyContracts(),
      colony({
        concurrency,
        roles: {
          planner: ({ envelope }) => ({ tasks: tasksOf(Number(envelope.user_goal)) }),
          worker: () => ({ output_text: '', confidence: 1 }),
        },
      }),
    ],
  })
}

/** @param {Awaited<ReturnType<typeof createApp>>} app @param {number} size */
async function runMission(app, size) {
  const { time_budget_ms: _, token_budget: __, ...envelope } = exampleMission.envelope
  const result = await app.colony.run({ ...envelope, mission_id: randomUUID(), user_goal: String(size) })
  if (result.completed !== size) throw new Error(`${result.completed} tasks of ${size}: ${result.error}`)
  await app.close()
}

/** @param {Awaited<ReturnType<typeof createApp>>} app @param {number} size */
async function runSkills(app, size) {
  app.skills.registry.registerSkill(
    defineSkill({ name: 'no-op', version: '1.0.0', parameters_schema: { type: 'object' }, execute: async () => ({}) }),
  )
  let next = 0
  const worker = async () => {
    while (next++ < size) {
      const { agent_id } = await app.skills.spawn()
      await app.skills.run(agent_id, 'no-op')
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  await app.close()
}

/** A lease or a run, as long as they usually are. */
const SHORT = '{"agent_id":"","token":"","expires_at":0}'

/**
 * Writes the rows of a finished mission again, without Minions: for each task its subagent, then the start of its
 * execution, then its end with the artifact. Leases and runs, which end with the task, are written and deleted.
 * @param {string} model @param {string} path
 */
function writeRaw(model, path) {
  const source = new Database(model, { readonly: true })
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  const statements = source.prepare(
    "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND tbl_name NOT LIKE '|_%' ESCAPE '|'",
  )
  for (const sql of statements.pluck().all()) database.exec(String(sql))
  /** @param {string} name */
  const table = (name) => {
    const declaration = source.prepare('SELECT declaration FROM _catalogue WHERE name = ?').pluck().get(name)
    const { table, key, revision, doc } = sqlNames(JSON.parse(String(declaration)))
    const rows = /** @type {Record<string, unknown>[]} */ (source.prepare(`SELECT * FROM ${table}`).all())
    const columns = source.prepare(`SELECT * FROM ${table}`).columns()
    const names = columns.map((column) => column.name)
    const marks = names.map(() => '?').join(', ')
    const put = database.prepare(`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${marks})`)
    const remove = database.prepare(`DELETE FROM ${table} WHERE ${key} = ?`)
    return {
      rows,
      key,
      put: (/** @type {Record<string, unknown>} */ row) => put.run(...names.map((each) => row[each])),
      putShort: (/** @type {unknown} */ id) =>
        put.run(...names.map((each) => ({ [key]: id, [revision]: 'r', [doc]: SHORT })[each])),
      remove: (/** @type {unknown} */ id) => remove.run(id),
    }
  }
  const [agents, executions, results, taskRuns] = [
    'subagents',
    'executions',
    'colony_worker_results',
    'colony_task_runs',
  ].map(table)
  const [leases, runs] = ['skill_leases', 'skill_runs'].map(table)
  if (!agents || !executions || !results || !taskRuns || !leases || !runs) throw new Error('a table is missing')
  for (const name of ['colony_missions', 'colony_task_graphs', 'colony_tasks']) {
    const { rows, put } = table(name)
    database.transaction(() => rows.forEach(put))()
  }
  agents.rows.forEach((agent, index) => {
    const execution = executions.rows[index]
    const result = results.rows[index]
    const taskRun = taskRuns.rows[index]
    database.transaction(() => agents.put(agent))()
    database.transaction(() => {
      agents.put(agent)
      if (execution) executions.put(execution)
      leases.putShort(agent[agents.key])
      runs.putShort(agent[agents.key])
    })()
    database.transaction(() => {
      agents.put(agent)
      if (execution) executions.put(execution)
      leases.remove(agent[agents.key])
      runs.remove(agent[agents.key])
      if (result) results.put(result)
      if (taskRun) taskRuns.put(taskRun)
    })()
  })
  database.close()
  source.close()
}
