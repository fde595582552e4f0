import { isMinionsError } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { WriteBatch } from '@minions/core/storage'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Artifact,
  ColonyStore,
  type MissionEnvelope,
  type MissionLedger,
  PolicyGate,
  type PutPlan,
} from '../src/index.js'
import type { Json } from './support/edit.js'
import { type Mission, task } from './support/mission.js'
import { changed, newMission, TENANT } from './support/stored-mission.js'

const TASKS = ['task_research_01', 'task_worker_01', 'task_late'] as const
const TIMES = ['2026-04-14T12:00:00Z', '2026-04-14T12:30:00Z', '2026-04-14T13:30:00Z'] as const

const id = (prefix: string) => fc.integer({ min: 1, max: 3 }).map((number) => `${prefix}_${number}`)
const task_id = fc.constantFrom(...TASKS)
const created_at = fc.constantFrom(...TIMES)

/** Edits that make a new artifact of the example of its kind. */
const edits: fc.Arbitrary<{ readonly kind: keyof Mission; readonly changes: Json }> = fc.oneof(
  edit('worker_result', { result_id: id('wrk'), task_id, created_at, confidence: fc.constantFrom(0.5, 0.6) }),
  edit('librarian_pass', { pass_id: id('pass'), task_id, created_at, expires_at: fc.constantFrom(...TIMES.slice(1)) }),
  edit('prompt_package', {
    package_id: id('pkg'),
    task_id,
    role_type: fc.constantFrom('worker', 'researcher'),
    tool_scope: fc.subarray(['crm_search', 'external_search']),
  }),
  edit('aggregation_packet', {
    packet_id: id('agg'),
    created_at,
    evidence_matrix: fc.array(
      fc.record({ claim: fc.constant('x'), support_refs: fc.array(id('wrk'), { maxLength: 2 }) }),
      {
        maxLength: 1,
      },
    ),
  }),
  edit('review_packet', { packet_id: id('rev'), created_at, parent_refs: fc.array(id('agg'), { maxLength: 1 }) }),
  edit('policy_decision', {
    decision_id: id('pol'),
    decision_type: fc.constant('tool_scope'),
    subject: fc.constantFrom('crm_search', 'external_search'),
    decision: fc.constantFrom('allow', 'deny'),
    task_id: fc.option(task_id, { nil: undefined }),
    created_at,
  }),
  edit('mission_task_graph', { created_at, tasks: fc.subarray(tasks(), { minLength: 1 }) }),
)

function edit(kind: keyof Mission, changes: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record(changes).map((values) => ({
    kind,
    changes: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Json,
  }))
}

function tasks(): Json[] {
  const allowed_tools = ['crm_search', 'external_search']
  return TASKS.map((taskId) =>
    task(taskId, { allowed_tools, role_type: taskId === 'task_research_01' ? 'researcher' : 'worker' }),
  )
}

/** Artifacts that several processes add to a mission, each knowing of the others only what it has read. */
const history = fc.array(
  fc.record({ by: fc.constantFrom('starter', 'first', 'second', 'store'), edit: edits, asked: task_id }),
  {
    minLength: 12,
    maxLength: 24,
  },
)

/** A mission and its first graph; `starter` is the ledger of the process that stored the mission before it had one. */
async function begin(store: ColonyStore, model?: ColonyStore) {
  const mission = newMission()
  mission.mission_task_graph.tasks = tasks().slice(0, 2)
  delete mission.policy_decision.task_id
  const envelope = changed(mission.mission_envelope, {}) as MissionEnvelope
  const { ledger: starter, plan } = store.newMission(envelope)
  await writePlan(plan, store)
  await store.put(changed(mission.mission_task_graph, {}))
  await model?.putMany([envelope, changed(mission.mission_task_graph, {})])
  return { mission, missionId: envelope.mission_id, starter }
}

async function writePlan(plan: PutPlan, store: ColonyStore): Promise<void> {
  const batch = new WriteBatch()
  plan.addTo(batch, { checked: true })
  await store.storage.write(batch)
  plan.stored()
}

/** Puts an artifact as a process does that keeps a ledger. */
async function putBy(ledger: MissionLedger, store: ColonyStore, artifact: Artifact<string>): Promise<boolean> {
  for (;;) {
    const plan = await ledger.plan([artifact])
    try {
      await writePlan(plan, store)
    } catch (error) {
      if (!isMinionsError(error, 'CONFLICT') && !isMinionsError(error, 'UNIQUE_VIOLATION')) throw error
      await ledger.refresh()
      continue
    }
    return plan.results[0]?.created ?? false
  }
}

async function outcome(put: Promise<boolean>): Promise<string> {
  return put.then(
    (created) => (created ? 'created' : 'there already'),
    (error: unknown) => (isMinionsError(error) ? `${error.code} ${JSON.stringify(error.details)}` : String(error)),
  )
}

it('stores and refuses by ledgers what the store would, whoever else adds to the mission', async () => {
  const store = await ColonyStore.open(memoryStorage())
  const model = await ColonyStore.open(memoryStorage())
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { mission, missionId, starter } = await begin(store, model)
      const first = (await store.ledger(missionId)) as MissionLedger
      const second = (await store.ledger(missionId)) as MissionLedger
      for (const { by, edit } of steps) {
        const artifact = changed(mission[edit.kind], edit.changes)
        const ledger = by === 'starter' ? starter : by === 'first' ? first : second
        const putting =
          by === 'store' ? store.put(artifact).then(({ created }) => created) : putBy(ledger, store, artifact)
        const expected = await outcome(model.put(artifact).then(({ created }) => created))
        expect(await outcome(putting), JSON.stringify(artifact)).toBe(expected)
      }
      const read = (from: ColonyStore) => from.forTenant(TENANT).mission(missionId)
      expect(await read(store)).toEqual(await read(model))
    }),
    { numRuns: 20, seed: 21 },
  )
  await model.close()
})

it('lets the gate answer from what it has read only while that is so', async () => {
  const store = await ColonyStore.open(memoryStorage())
  const clock = () => Date.parse('2026-04-14T13:00:00Z')
  const kept = new PolicyGate(store, { clock })
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { mission, missionId } = await begin(store)
      for (const { edit, asked } of steps) {
        await store.put(changed(mission[edit.kind], edit.changes)).catch(() => undefined)
        const ref = { mission_id: missionId, task_id: asked }
        const { verdict } = await new PolicyGate(store, { clock }).checkTool(ref, 'crm_search')
        expect((await kept.checkTool(ref, 'crm_search')).verdict).toEqual(verdict)
      }
    }),
    { numRuns: 10, seed: 5 },
  )
})
