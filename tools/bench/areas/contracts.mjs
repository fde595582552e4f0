// @ts-check
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  artifactExamples,
  artifactSchemas,
  ColonyStore,
  colonyCollections,
  executionOrder,
  validateArtifact,
  validateMission,
  validateTaskGraph,
} from '@minions/colony-contracts'
import { sqlNames } from '@minions/core/storage'
import { sqliteStorage } from '@minions/storage-sqlite'
import { Ajv2020 } from 'ajv/dist/2020.js'
import Database from 'better-sqlite3'
import { inTurn, words } from '../data.mjs'

/** @import { Artifact } from '@minions/colony-contracts' */
/** @import { Bench } from '../area.mjs' */

/** @param {Bench} bench */
export default async function (bench) {
  await rules(bench)
  const folder = mkdtempSync(join(tmpdir(), 'minions-bench-'))
  try {
    await storing(bench, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {Bench} bench */
async function rules(bench) {
  const { mission_envelope: envelope, mission_task_graph: graph } = artifactExamples
  const compiled = new Ajv2020().compile(artifactSchemas.worker_result)
  const results = workerResults(1_024)
  const next = inTurn(results)
  for (const each of results) if (!validateArtifact(each).valid || !compiled(each)) throw new Error('a valid result')
  // On a busy machine the optimizer takes longer than the harness warms up.
  for (let call = 0; call < 300_000; call++) {
    validateArtifact(next())
    compiled(next())
  }
  await bench.compare({
    cpu: true,
    name: 'validate a worker_result, 1,024 different ones',
    ours: () => validateArtifact(next()),
    peer: () => compiled(next()),
    peerName: 'compiled ajv',
    bar: 0.5,
    from: 'the fastest validator there is',
  })
  const [task] = graph.tasks
  if (!task) throw new Error('the example graph has a task')
  const chain = (/** @type {number} */ size) => ({
    ...graph,
    tasks: Array.from({ length: size }, (_, index) => ({
      ...task,
      task_id: `task_${index}`,
      depends_on: index > 0 ? [`task_${index - 1}`] : [],
    })),
  })
  const sizes = [1_000, 10_000]
  const linear = 'tenfold is linear; twice that allows for memory'
  await bench.growth({
    cpu: true,
    name: 'validate a chain of tasks',
    sizes,
    bar: 20,
    from: linear,
    setup: (size) => {
      const tasks = chain(size)
      return () => validateTaskGraph(tasks)
    },
  })
  await bench.growth({
    cpu: true,
    name: 'order a chain of tasks',
    sizes,
    bar: 20,
    from: linear,
    setup: (size) => {
      const tasks = chain(size)
      return () => executionOrder(tasks)
    },
  })
  await bench.growth({
    cpu: true,
    name: 'validate a mission of artifacts',
    sizes,
    bar: 20,
    from: linear,
    setup: (size) => {
      const results = workerResults(size).map((each) => ({ ...each, task_id: 'task_0' }))
      const mission = [envelope, chain(1), ...results]
      if (!validateMission(mission).valid) throw new Error('the mission is valid')
      return () => validateMission(mission)
    },
  })
}

/** Results with texts, citations and outputs of their own. @param {number} size */
function workerResults(size) {
  const { below, text } = words(5)
  return Array.from({ length: size }, (_, index) => ({
    ...artifactExamples.worker_result,
    task_id: `task_${below(100)}`,
    result_id: `wrk_${index}`,
    output_text: text(1 + below(60)),
    structured_output: { priority: text(1), [text(1)]: below(1000) },
    citations: Array.from({ length: below(5) }, () => ({ kind: 'internal', ref: `lead_${below(1000)}` })),
    confidence: below(101) / 100,
    tool_trace_refs: Array.from({ length: below(4) }, () => `toolcall_${below(1000)}`),
  }))
}

/** @param {Bench} bench @param {string} folder */
async function storing(bench, folder) {
  const path = join(folder, 'missions.db')
  const backend = sqliteStorage({ path })
  const store = await ColonyStore.open(backend)
  const raw = rawStore(path, join(folder, 'raw.db'))
  await bench.compare({
    name: 'store a mission of 1,000 artifacts',
    ours: () => store.putMany(mission(1_000)),
    peer: () => raw.insert(mission(1_000)),
    peerName: 'better-sqlite3, one transaction, same tables',
    bar: 0.5,
    from: 'the driver itself',
  })
  raw.close()
  let queries = 0
  for (const name of /** @type {const} */ (['get', 'query'])) {
    const ask = /** @type {(...args: unknown[]) => unknown} */ (backend[name])
    Object.assign(backend, {
      [name]: (/** @type {unknown[]} */ ...args) => {
        queries += 1
        return ask.apply(backend, args)
      },
    })
  }
  for (const size of [10, 1_000]) {
    const artifacts = mission(size)
    const envelope = artifactExamples.mission_envelope
    await store.putMany(artifacts)
    queries = 0
    const found = await store.forTenant(envelope.tenant_id).mission(artifacts[0]?.mission_id ?? '')
    if (found.length !== size) throw new Error(`${found.length} artifacts instead of ${size}`)
    const name = `queries to read a mission of ${size.toLocaleString('en')} artifacts`
    bench.value({ name, value: queries, unit: 'queries', bar: 10, from: 'one for each table' })
  }
  await store.close()
}

/**
 * A new mission with so many artifacts.
 * @param {number} size
 * @returns {Artifact[]}
 */
function mission(size) {
  const mission_id = randomUUID()
  const { mission_envelope, mission_task_graph } = artifactExamples
  const [task] = mission_task_graph.tasks
  if (!task) throw new Error('the example graph has a task')
  const tasks = Array.from({ length: 20 }, (_, index) => ({ ...task, task_id: `task_${index}` }))
  return [
    { ...mission_envelope, mission_id },
    { ...mission_task_graph, mission_id, tasks },
    ...workerResults(size - 2).map((each, index) => ({ ...each, mission_id, task_id: `task_${index % tasks.length}` })),
  ]
}

/**
 * The same tables and indexes, written without Minions.
 * @param {string} model a store to copy the schema of
 * @param {string} path
 */
function rawStore(model, path) {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  const source = new Database(model, { readonly: true })
  const statements = source.prepare("SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%'")
  for (const sql of statements.pluck().all()) database.exec(String(sql))
  source.close()
  let revision = 0
  /** @param {string} name @param {string} id */
  const inserter = (name, id) => {
    const collection = colonyCollections.find((each) => each.name === name)
    if (!collection) throw new Error(`no collection ${name}`)
    const { columns, references } = collection.declaration
    const sql = sqlNames(collection.declaration)
    const names = [sql.key, sql.revision, sql.doc, ...sql.columns, ...sql.references]
    const marks = names.map(() => '?').join(', ')
    const statement = database.prepare(`INSERT INTO ${sql.table} (${names.join(', ')}) VALUES (${marks})`)
    const paths = columns.map((column) => column.path)
    const keys = references.map((reference) => reference.columns)
    /** @param {Record<string, any>} record */
    return (record) => {
      const { mission_id } = record
      statement.run(
        id === 'mission_id' ? mission_id : `${mission_id}\x01\x01${record[id]}`,
        `r${revision++}`,
        JSON.stringify(record),
        ...paths.map((column) => record[column]),
        ...keys.map((key) => key.map((column) => record[column]).join('\x01\x01')),
      )
    }
  }
  const insertMission = inserter('colony_missions', 'mission_id')
  const insertGraph = inserter('colony_task_graphs', 'revision')
  const insertTask = inserter('colony_tasks', 'task_id')
  const insertResult = inserter('colony_worker_results', 'result_id')
  return {
    insert: database.transaction((/** @type {Artifact[]} */ artifacts) => {
      const { tenant_id, actor_id } = artifactExamples.mission_envelope
      for (const artifact of artifacts) {
        const { mission_id, producer, created_at } = artifact
        const root = { mission_id, producer, created_at, tenant_id, actor_id }
        if (artifact.schema_name === 'mission_envelope') insertMission(artifact)
        else if (artifact.schema_name === 'worker_result') insertResult({ ...artifact, tenant_id, actor_id })
        else if (artifact.schema_name === 'mission_task_graph') {
          insertGraph({ ...root, revision: 1, content_hash: mission_id, graph: artifact })
          for (const task of artifact.tasks) insertTask({ ...task, ...root, graph_revision: 1 })
        }
      }
    }),
    close: () => database.close(),
  }
}
