import { timestamp } from '@minions/core'
import type { JsonValue } from '@minions/core/json'
import { operationRef } from '@minions/core/operations'
import type { Logger } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'
import type { McpCall } from '../door/mcp-call.js'
import { toolResult } from '../tools/tool-result.js'
import { awaitedDecisions, decide, type MissionReference, openQuestions } from './questions.js'
import type { TaskKind, TaskState } from './task.js'

/** The status of a mission, from `missions.status`. */
const MissionStatus = Type.Object({
  mission_id: Type.String(),
  tenant_id: Type.String(),
  status: Type.Enum(['running', 'paused', 'completed', 'failed', 'cancelled', 'budget_exceeded']),
  active: Type.Boolean(),
  completed: Type.Number(),
  total: Type.Number(),
  started_at: Type.String(),
  elapsed_ms: Type.Number(),
})
type MissionStatus = Static<typeof MissionStatus>

const startMission = operationRef('missions.start', MissionStatus)
const missionStatus = operationRef('missions.status', MissionStatus)

/**
 * Missions as tasks. They have no state here: a task lasts as long as its mission, and a caller that polls one which no
 * process runs any more makes this process continue it.
 */
export class MissionTasks implements TaskKind {
  readonly kind = 'mission'
  readonly #logger: Logger
  /** Missions that this process continues. */
  readonly #resumed = new Map<string, Promise<void>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Starts a mission; its task exists as soon as this resolves. */
  async start(input: unknown, call: McpCall): Promise<string> {
    return this.#idOf(await call.runDetached(startMission, input))
  }

  /** Continues a mission of the caller's tenant. */
  async resume(input: unknown, call: McpCall): Promise<string> {
    const { mission } = input as { readonly mission: string }
    const id = this.#idOf(await call.run(missionStatus, { mission }))
    this.#continue(id, input, call)
    return id
  }

  async get(id: string, call: McpCall): Promise<TaskState | undefined> {
    const of = missionOf(id, call)
    if (!of) return undefined
    const within = call.within(of.tenant)
    const status = await within.run(missionStatus, { mission: of.mission })
    if (status.status === 'running' && !status.active && call.may('missions.resume')) {
      this.#continue(id, { mission: of.mission, retryFailed: false }, within)
    }
    return this.#stateOf(of, status, call)
  }

  async answer(id: string, question: string, response: unknown, call: McpCall): Promise<void> {
    const of = missionOf(id, call)
    if (of) await decide(of, question, response, call)
  }

  async cancel(id: string, call: McpCall): Promise<void> {
    const of = missionOf(id, call)
    if (!of) return
    const within = call.within(of.tenant)
    const { status } = await within.run(missionStatus, { mission: of.mission })
    if (status === 'running') await within.runDetached('missions.cancel', { mission: of.mission })
  }

  /** Waits for what this process continues. */
  async settle(): Promise<void> {
    await Promise.all(this.#resumed.values())
  }

  async #stateOf(of: MissionReference, mission: MissionStatus, call: McpCall): Promise<TaskState> {
    const common = {
      createdAt: mission.started_at,
      lastUpdatedAt: timestamp(Date.parse(mission.started_at) + mission.elapsed_ms),
      ttlMs: null,
      statusMessage: `${mission.completed} of ${mission.total} tasks are done.`,
    }
    if (mission.status === 'running' || mission.status === 'paused') {
      const waiting = await awaitedDecisions(of, call)
      if (Object.keys(waiting).length === 0) return { ...common, status: 'working' }
      return { ...common, status: 'input_required', questions: waiting }
    }
    if (mission.status === 'cancelled') return { ...common, status: 'cancelled' }
    const questions = await openQuestions(of, call)
    if (Object.keys(questions).length > 0) return { ...common, status: 'input_required', questions }
    return { ...common, status: 'completed', result: toolResult(await resultOf(of, call)) }
  }

  #continue(id: string, input: unknown, call: McpCall): void {
    if (this.#resumed.has(id)) return
    const work = call
      .runDetached('missions.resume', input)
      .then(() => undefined)
      .catch((error: unknown) => this.#logger.warn('A mission could not be continued.', { mission: id, error }))
      .finally(() => this.#resumed.delete(id))
    this.#resumed.set(id, work)
  }

  #idOf({ tenant_id, mission_id }: MissionStatus): string {
    return JSON.stringify([tenant_id, mission_id])
  }
}

/** The result of a mission that has ended. Resuming it only returns the result. */
export function resultOf({ tenant, mission }: MissionReference, call: McpCall): Promise<JsonValue> {
  const within = call.within(tenant)
  return call.may('missions.resume')
    ? within.run('missions.resume', { mission, retryFailed: false })
    : within.run('missions.get', { mission })
}

/** The mission of a task. A caller that belongs to a tenant does not see the missions of others. */
function missionOf(id: string, { caller }: McpCall): MissionReference | undefined {
  try {
    const [tenant, mission] = JSON.parse(id) as unknown[]
    if (typeof tenant !== 'string' || typeof mission !== 'string') return undefined
    return caller.confined && caller.tenant !== tenant ? undefined : { tenant, mission }
  } catch {
    return undefined
  }
}
