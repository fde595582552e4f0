import type { MissionLedger, StoredArtifact } from '@minions/colony-contracts'
import { isMinionsError, MinionsError } from '@minions/core'
import { retryConflicts, type StoreAccess, WriteBatch } from '@minions/core/storage'
import { colonyError, messageOf } from '../errors.js'
import { type ArtifactRef, missionRunsCollection, type TaskRun, taskRunsCollection } from '../state/collections.js'
import { PAUSED } from './end-mission.js'
import { type LiveMission, outOfTime } from './live-mission.js'
import type { RoleWork, TaskAttempt } from './perform-task.js'
import type { MissionServices } from './services.js'

/** Adds to a batch, and again after a conflict; returns a function to call once the batch is written. */
type BatchWork = (batch: WriteBatch, attempt: number) => Promise<(() => void) | undefined>

/** Adds a role's artifacts and the completion of its task to a batch: at most once, and only while the mission runs. */
export function commitTask(
  services: MissionServices,
  mission: LiveMission,
  { taskId, attempt }: TaskAttempt,
  { artifacts, at, graphRevision }: RoleWork,
  agentId: string,
): BatchWork {
  return async (batch, tries) => {
    const isDone = tries > 1 ? await readAgain(services, mission, taskId) : mission.isDone(taskId)
    // Tasks that are running when a mission is paused are finished.
    if (mission.run.status !== 'running' && mission.run.status !== 'paused') throw ended(mission)
    if (mission.timeLeft <= 0) throw timeIsUp(mission)
    // Another process got there first; its artifacts count.
    if (isDone) return undefined
    const plan = await planArtifacts(services, mission, artifacts)
    const taskRun: TaskRun = {
      ...mission.ofTask(taskId),
      status: 'completed',
      attempt,
      at,
      graph_revision: graphRevision,
      agent_id: agentId,
      artifacts: plan.results.map(({ artifact, revision }) => {
        const ref: ArtifactRef = { schema_name: artifact.schema_name, id: services.contracts.registry.idOf(artifact) }
        return revision === undefined ? ref : { ...ref, revision }
      }),
      error: null,
    }
    plan.addTo(batch, { checked: true })
    const revision = batch.put(taskRunsCollection, taskRun, mission.expectTask(taskId))
    batch.check(missionRunsCollection, mission.id, { ifRevision: mission.runRevision })
    return () => {
      plan.stored()
      mission.keepTaskRun({ record: taskRun, revision })
      mission.artifacts.set(
        taskId,
        plan.results.map(({ artifact }) => artifact),
      )
      mission.running.delete(taskId)
      mission.changed()
    }
  }
}

/** Checks artifacts against everything stored for the mission. */
async function planArtifacts(
  { contracts }: MissionServices,
  mission: LiveMission,
  artifacts: readonly StoredArtifact[],
) {
  const ledger = await ledgerOf(contracts, mission)
  try {
    return await ledger.plan(artifacts)
  } catch (cause) {
    // The execution fails with this error: another attempt may succeed, unlike when the store cannot be reached.
    if (!isMinionsError(cause) || !REFUSALS.has(cause.code)) throw cause
    throw new MinionsError('VALIDATION_FAILED', messageOf(cause), { cause, details: { ...cause.details } })
  }
}

const REFUSALS = new Set(['INVALID_ARTIFACT', 'LINKAGE_VIOLATION', 'KIND_NOT_STORED', 'CONFLICT'])

function ledgerOf({ store }: MissionServices['contracts'], mission: LiveMission): Promise<MissionLedger> {
  return mission.ledger(async () => (await store.ledger(mission.id)) as MissionLedger)
}

/**
 * Re-reads what a batch relied on: another process may have ended the mission, completed the task or added artifacts.
 * Resolves to true if the task is completed.
 */
async function readAgain(
  { storage, contracts }: MissionServices,
  mission: LiveMission,
  taskId: string,
): Promise<boolean> {
  const run = await storage.getRevised(missionRunsCollection, mission.id)
  if (run) mission.keepRun(run)
  if (run?.record.status === 'paused') mission.drain(PAUSED)
  const taskRun = await storage.getRevised(taskRunsCollection, [mission.id, taskId])
  if (taskRun?.record.status === 'completed') return true
  if (taskRun) mission.keepTaskRun(taskRun)
  await (await ledgerOf(contracts, mission)).refresh()
  return false
}

/** Writes a batch on its own, when executions are not stored. */
export function writeAlone(storage: StoreAccess, work: BatchWork): Promise<(() => void) | undefined> {
  return retryConflicts(async (write, attempt) => {
    const batch = new WriteBatch()
    const committed = await work(batch, attempt)
    await write(storage.write(batch))
    return committed
  })
}

/** The mission was ended elsewhere. */
function ended(mission: LiveMission): Error {
  const { status, error } = mission.run
  if (status !== 'running') mission.stop({ status, error })
  return colonyError('MISSION_ENDED', `Mission ${mission.id} is ${status}; nothing more is stored for it.`)
}

export function timeIsUp(mission: LiveMission): Error {
  const end = outOfTime(mission)
  mission.stop(end)
  return colonyError('BUDGET_EXCEEDED', end.error ?? '')
}
