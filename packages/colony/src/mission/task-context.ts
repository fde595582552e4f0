import { createHash } from 'node:crypto'
import { type ArtifactProblem, type MissionTask, TASK_ROLE_TYPES } from '@minions/colony-contracts'
import { canonicalJson, copyJson, isMinionsError, type JsonObject, type JsonValue, MinionsError } from '@minions/core'
import type { SkillLog } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import type { RecordedAnswer, RenderedPrompt, RoleContext } from '../roles/role.js'
import { type Answer, type AnswerError, type AnswerKind, answersCollection } from '../state/collections.js'
import { type LiveMission, outOfTokens } from './live-mission.js'
import { renderPackage } from './render-package.js'
import type { MissionServices } from './services.js'

interface TaskFacts {
  readonly taskId: string
  readonly task: MissionTask | undefined
  readonly attempt: number
  readonly now: string
  readonly signal: AbortSignal
  readonly log: SkillLog
  /** Whether only what was recorded may be answered. */
  readonly replay: boolean
  readonly problems: (output: unknown) => readonly ArtifactProblem[]
}

/** The context of one attempt at a task. */
export class TaskContext implements RoleContext {
  readonly #services: MissionServices
  readonly #mission: LiveMission
  readonly #facts: TaskFacts
  readonly #traces: string[] = []
  #sequence = 0
  /** Whether the role was told an answer, or began, when the tokens were used up. */
  #isWarned: boolean

  constructor(services: MissionServices, mission: LiveMission, facts: TaskFacts) {
    this.#services = services
    this.#mission = mission
    this.#facts = facts
    this.#isWarned = mission.overspent
  }

  get signal(): AbortSignal {
    return this.#facts.signal
  }

  get now(): string {
    return this.#facts.now
  }

  get attempt(): number {
    return this.#facts.attempt
  }

  get log(): SkillLog {
    return this.#facts.log
  }

  get tokensLeft(): number {
    return this.#mission.tokensLeft
  }

  /** The names under which tool calls were recorded, for `tool_trace_refs`. */
  get traces(): readonly string[] {
    return this.#traces
  }

  hasTool(name: string): boolean {
    return Object.hasOwn(this.#services.tools, name)
  }

  async tool(name: string, parameters: JsonObject = {}): Promise<JsonValue> {
    const { task } = this.#facts
    if (task === undefined) throw colonyError('TOOL_MISSING', 'A plan is made without tools: there is no task yet.')
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) throw misuse('`tool` needs the name of one, as a text')
    if (!isObject(parameters)) throw misuse('`tool` takes parameters as an object')
    const request = { tool: name, parameters: copyJson(parameters, 'The parameters of a tool') }
    this.#traces.push(`toolcall_${this.#sequence}_${name}`)
    return this.#record('tool', request, async () => {
      await this.#services.contracts.gate.assertToolAllowed(this.#taskRef(task), name)
      const tool = this.hasTool(name) ? this.#services.tools[name] : undefined
      if (tool === undefined) {
        throw colonyError('TOOL_MISSING', `No tool is called "${name}"; add it to the tools of the colony.`, {
          details: { tool: name },
        })
      }
      const { envelope } = this.#mission
      const value = await tool(request.parameters, { signal: this.signal, envelope, task })
      return { value: copyJson(value ?? null, `The answer of the tool "${name}"`), tokens: 0 }
    })
  }

  async requireData(scope: string): Promise<void> {
    const { task } = this.#facts
    if (typeof scope !== 'string' || scope === '') throw misuse('`requireData` needs the name of a data scope')
    if (task === undefined) return
    await this.#record('policy', { scope }, async () => {
      await this.#services.contracts.gate.assertDataScopeAllowed(this.#taskRef(task), scope)
      return { value: true, tokens: 0 }
    })
  }

  async ask(request: JsonValue, produce: () => Promise<RecordedAnswer>): Promise<JsonValue> {
    if (typeof produce !== 'function') throw misuse('`ask` needs a function that finds the answer out')
    return this.#record('model', copyJson(request, 'A question'), async () => {
      if (this.tokensLeft <= 0) throw this.#exceeded()
      const answer: unknown = await produce()
      if (!isObject(answer) || !('value' in answer)) throw misuse('`ask` needs an answer of the form { value, tokens }')
      const { value, tokens } = answer as unknown as RecordedAnswer
      return { value: copyJson(value, 'The answer of a model'), tokens: Math.max(0, Math.ceil(tokens) || 0) }
    })
  }

  async spend(tokens: number): Promise<void> {
    if (!Number.isFinite(tokens) || tokens < 0) throw misuse('`spend` needs a number of tokens')
    await this.#record('spent', { tokens }, async () => ({ value: null, tokens: Math.ceil(tokens) }))
  }

  async prompt(task: MissionTask): Promise<RenderedPrompt> {
    if (!isObject(task) || !TASK_ROLE_TYPES.includes(task.role_type)) throw misuse('`prompt` needs a task of the graph')
    const { envelope } = this.#mission
    const rendered = await this.#record('prompt', { task: copyJson(task as unknown as JsonObject) }, async () => ({
      value: (await renderPackage(this.#services, envelope, task, this.now)) as unknown as JsonObject,
      tokens: 0,
    }))
    return rendered as unknown as RenderedPrompt
  }

  problems(output: unknown): readonly ArtifactProblem[] {
    return this.#facts.problems(output)
  }

  /** Gives what was recorded for the same request in the same place, or finds it out and records it. */
  async #record(kind: AnswerKind, request: JsonValue, produce: () => Promise<RecordedAnswer>): Promise<JsonValue> {
    const { taskId, attempt, signal, replay } = this.#facts
    const sequence = this.#sequence++
    const request_hash = createHash('sha256').update(canonicalJson(request)).digest('hex')
    const known = this.#mission.answer(taskId, attempt, sequence)
    if (known !== undefined && isAnswerTo(known, { kind, request_hash })) return outcomeOf(known)
    if (replay) {
      const what = known === undefined ? 'something that was not recorded' : `something else than was recorded`
      const message = `In task "${taskId}" the role asked for ${what} (question ${sequence + 1}, ${kind}).`
      throw colonyError('REPLAY_DIVERGED', message, { details: { task_id: taskId, sequence, kind } })
    }
    signal.throwIfAborted()
    const { mission_id, tenant_id } = this.#mission.envelope
    const place = { mission_id, tenant_id, task_id: taskId, attempt, sequence, kind, request_hash }
    let answer: Answer
    try {
      answer = { ...place, ...(await produce()), error: null }
    } catch (error) {
      // What a role may catch and live with must happen again in a replay; a model that cannot be reached is no answer.
      if (signal.aborted || (kind !== 'tool' && kind !== 'policy')) throw error
      answer = { ...place, value: null, tokens: 0, error: errorOf(error) }
      return outcomeOf(await this.#keep(answer), error)
    }
    return outcomeOf(await this.#keep(answer))
  }

  /** Stores an answer. Where another process that does the same task was told one before, that one counts. */
  async #keep(answer: Answer): Promise<Answer> {
    const { mission_id, task_id, attempt, sequence } = answer
    const known = this.#mission.answer(task_id, attempt, sequence)
    const kept = await this.#services.storage.transaction(async (tx) => {
      const stored = await tx.get(answersCollection, [mission_id, task_id, attempt, sequence])
      if (stored !== undefined && known === undefined && isAnswerTo(stored, answer)) return stored
      await tx.put(answersCollection, answer)
      return answer
    })
    this.#mission.keep(kept)
    if (this.#mission.overspent) {
      // What was paid for is handed over, so that its result is stored. Spending on, the role could have known better.
      const exceeded = this.#exceeded()
      if (this.#isWarned && kept.kind === 'spent') throw exceeded
      this.#isWarned = true
    }
    return kept
  }

  /** Ends the mission as soon as what runs has finished. */
  #exceeded(): Error {
    const end = outOfTokens(this.#mission)
    this.#mission.drain(end)
    return colonyError('BUDGET_EXCEEDED', end.error ?? '')
  }

  #taskRef({ task_id }: MissionTask) {
    const { mission_id, tenant_id } = this.#mission.envelope
    return { mission_id, tenant_id, task_id }
  }
}

/** What can be part of a trace. */
const TOOL_NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function misuse(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The context of a role: ${what}.`)
}

type Question = Pick<Answer, 'kind' | 'request_hash'>

function isAnswerTo(answer: Answer, { kind, request_hash }: Question): boolean {
  return answer.kind === kind && answer.request_hash === request_hash
}

/** What the role gets, which is the same whether it is new or recorded, except for the cause of an error. */
function outcomeOf({ value, error }: Answer, cause?: unknown): JsonValue {
  if (error === null) return copyJson(value as JsonValue)
  const details = error.details as Readonly<Record<string, unknown>> | undefined
  throw new MinionsError(error.code, error.message, {
    ...(details && { details }),
    ...(cause !== undefined && { cause }),
  })
}

function errorOf(error: unknown): AnswerError {
  if (!isMinionsError(error)) return { code: 'TOOL_FAILED', message: messageOf(error) }
  const told = { code: error.code, message: messageOf(error) }
  try {
    return { ...told, details: copyJson({ ...error.details } as JsonObject) }
  } catch {
    return told
  }
}
