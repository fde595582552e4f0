import { createHash } from 'node:crypto'
import type { MissionTask } from '@minions/colony-contracts'
import { coreError, isMinionsError, MinionsError } from '@minions/core'
import { canonicalJson, copyJson, getOwn, isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import type { GateErrorCode, GuardedCall, LanguageModels } from '@minions/core/plugin'
import type { SkillLog } from '@minions/skills-runtime'
import { colonyError, messageOf } from '../errors.js'
import type { RecordedAnswer, RenderedPrompt, RoleContext } from '../roles/role.js'
import { type Answer, type AnswerError, type AnswerKind, answersCollection } from '../state/collections.js'
import { type LiveMission, outOfTokens } from './live-mission.js'
import { renderPackage } from './render-package.js'
import type { MissionServices } from './services.js'
import { ActiveSkills, isSkillTool, skillTool } from './skill-tools.js'

type ClearedCall = Pick<GuardedCall, 'kind' | 'name' | 'version'> & { readonly arguments: JsonObject }

interface TaskFacts extends Pick<RoleContext, 'attempt' | 'now' | 'problems'> {
  readonly context: Pick<RoleContext, 'signal' | 'log'>
  readonly taskId: string
  readonly task: MissionTask | undefined
  /** True if only recorded answers may be used. */
  readonly replay: boolean
}

export class TaskContext implements RoleContext {
  readonly now: string
  readonly attempt: number
  readonly models: LanguageModels | undefined
  readonly problems: RoleContext['problems']
  readonly #services: MissionServices
  readonly #mission: LiveMission
  readonly #facts: TaskFacts
  readonly #traces: string[] = []
  readonly #activeSkills: ActiveSkills
  #sequence = 0
  #suspended: { readonly approval: string; readonly error: unknown } | undefined
  /** True if the tokens were already used up when the role began or received an answer. */
  #isWarned: boolean

  constructor(services: MissionServices, mission: LiveMission, facts: TaskFacts) {
    this.#services = services
    this.#mission = mission
    this.#facts = facts
    this.now = facts.now
    this.attempt = facts.attempt
    this.models = services.models
    this.problems = facts.problems
    this.#activeSkills = new ActiveSkills(services.skills.registry)
    this.#isWarned = mission.overspent
  }

  get signal(): AbortSignal {
    return this.#facts.context.signal
  }

  get log(): SkillLog {
    return this.#facts.context.log
  }

  /** The approval that the role needs to continue; from then on it receives no more answers. */
  get suspendedBy(): string | undefined {
    return this.#suspended?.approval
  }

  get tokensLeft(): number {
    return this.#mission.tokensLeft
  }

  /** The names under which tool calls were recorded, for `tool_trace_refs`. */
  get traces(): readonly string[] {
    return this.#traces
  }

  hasTool(name: string): boolean {
    return Object.hasOwn(this.#services.tools, name) || isSkillTool(this.#services.skills.registry, name)
  }

  async tool(name: string, parameters: JsonObject = {}): Promise<JsonValue> {
    const { task } = this.#facts
    if (task === undefined) throw colonyError('TOOL_MISSING', 'A plan is made without tools: there is no task yet.')
    if (typeof name !== 'string' || !TOOL_NAME.test(name)) throw misuse('`tool` needs the name of a tool, as a string')
    if (!isRecord(parameters)) throw misuse('`tool` takes parameters as an object')
    const request = { tool: name, parameters: copyJson(parameters, 'The parameters of a tool') }
    this.#traces.push(`toolcall_${this.#sequence}_${name}`)
    const skillTools = this.#activeSkills.tools()
    // A repeated answer activates the skill too.
    this.#activeSkills.use(name)
    return this.#record('tool', request, async (use) => {
      await this.#services.contracts.gate.assertToolAllowed(this.#taskRef(task), name, { skillTools })
      const tool = getOwn(this.#services.tools, name) ?? skillTool(this.#services.skills, name)
      if (tool === undefined) {
        const text = `No tool or skill is called "${name}"; add it to the tools of the colony, or register the skill.`
        throw colonyError('TOOL_MISSING', text, { details: { tool: name } })
      }
      const { envelope } = this.#mission
      const { registry } = this.#services.skills
      const version = isSkillTool(registry, name) ? registry.getSkill(name).version : undefined
      const cleared = await this.#clear({ kind: 'tool', name, version, arguments: request.parameters }, task, use)
      const idempotencyKey = `${envelope.mission_id}/${task.task_id}/${use}`
      const value = await tool(cleared, { signal: this.signal, envelope, task, idempotencyKey })
      return { value: copyJson(value ?? null, `The answer of the tool "${name}"`), tokens: 0 }
    })
  }

  async requireData(scope: string): Promise<void> {
    const { task } = this.#facts
    if (typeof scope !== 'string' || scope === '') throw misuse('`requireData` needs the name of a data scope')
    if (task === undefined) return
    await this.#record('policy', { scope }, async (use) => {
      await this.#services.contracts.gate.assertDataScopeAllowed(this.#taskRef(task), scope)
      await this.#clear({ kind: 'data', name: scope, arguments: {} }, task, use)
      return { value: true, tokens: 0 }
    })
  }

  async ask(request: JsonValue, produce: () => Promise<RecordedAnswer>): Promise<JsonValue> {
    if (typeof produce !== 'function') throw misuse('`ask` needs a function that gets the answer')
    return this.#record('model', copyJson(request, 'A model request'), async () => {
      if (this.tokensLeft <= 0) throw this.#exceeded()
      const answer = await produce()
      if (!isRecord(answer) || !('value' in answer)) throw misuse('`ask` needs an answer of the form { value, tokens }')
      const { value, tokens } = answer
      return { value: copyJson(value, 'The answer of a model'), tokens: Math.max(0, Math.ceil(tokens) || 0) }
    })
  }

  async spend(tokens: number): Promise<void> {
    if (!Number.isFinite(tokens) || tokens < 0) throw misuse('`spend` needs a number of tokens')
    await this.#record('spent', { tokens }, async () => ({ value: null, tokens: Math.ceil(tokens) }))
  }

  async prompt(task: MissionTask): Promise<RenderedPrompt> {
    if (!isRecord(task) || !this.#services.roles.names.includes(task.role_type))
      throw misuse('`prompt` needs a task of the graph')
    const { envelope } = this.#mission
    const rendered = await this.#record('prompt', { task: copyJson(task as JsonObject) }, async () => ({
      value: await renderPackage(this.#services, envelope, task, this.now),
      tokens: 0,
    }))
    return rendered as RenderedPrompt
  }

  /** Returns the recorded answer to the same request at the same position, or gets the answer and records it. */
  async #record(
    kind: AnswerKind,
    request: JsonValue,
    produce: (use: string) => Promise<RecordedAnswer>,
  ): Promise<JsonValue> {
    const { taskId, attempt, replay } = this.#facts
    const { signal } = this
    if (this.#suspended) throw this.#suspended.error
    const sequence = this.#sequence++
    const request_hash = createHash('sha256').update(canonicalJson(request)).digest('hex')
    const known = this.#mission.answer(taskId, attempt, sequence)
    if (known !== undefined && isAnswerTo(known, { kind, request_hash })) return outcomeOf(known)
    if (replay) {
      const what = known === undefined ? 'something that was not recorded' : `something other than was recorded`
      const message = `In task "${taskId}" the role requested ${what} (request ${sequence + 1}, ${kind}).`
      throw colonyError('REPLAY_DIVERGED', message, { details: { task_id: taskId, sequence, kind } })
    }
    signal.throwIfAborted()
    const { mission_id, tenant_id } = this.#mission.envelope
    const recorded = { mission_id, tenant_id, task_id: taskId, attempt, sequence, kind, request_hash }
    let answer: Answer
    let cause: unknown
    try {
      answer = { ...recorded, ...(await produce(`${attempt}.${sequence}`)), error: null }
    } catch (error) {
      // Errors that a role may catch must recur in a replay; an unreachable model has not answered at all.
      if (signal.aborted || this.#isSuspension(error) || (kind !== 'tool' && kind !== 'policy')) throw error
      answer = { ...recorded, value: null, tokens: 0, error: errorOf(error) }
      cause = error
    }
    return outcomeOf(await this.#keep(answer), cause)
  }

  #isSuspension(error: unknown): boolean {
    return this.#suspended?.error === error
  }

  /** The arguments that a call may be made with. A call that a person must approve first stops the role. */
  async #clear(call: ClearedCall, { task_id, role_type }: MissionTask, use: string): Promise<JsonObject> {
    const { approvals } = this.#services
    if (approvals === undefined) return call.arguments
    const { mission_id, tenant_id, actor_id, sensitivity_class } = this.#mission.envelope
    const caller = { by: actor_id, tenant: tenant_id, mission: mission_id, task: task_id, role: role_type, use }
    try {
      return (await approvals.require({ ...call, ...caller, sensitivity: sensitivity_class })).arguments
    } catch (error) {
      const { approval } = isMinionsError<GateErrorCode>(error, 'APPROVAL_REQUIRED') ? error.details : {}
      if (typeof approval === 'string') this.#suspended ??= { approval, error }
      throw typeof approval === 'string' ? this.#suspended?.error : error
    }
  }

  /** Stores an answer. If another process performing the same task stored one before, that one counts. */
  async #keep(answer: Answer): Promise<Answer> {
    const kept = await this.#write(answer)
    this.#mission.keep(kept)
    if (this.#mission.overspent) {
      // Returns what was already paid for, so that its result is stored; a role that keeps spending gets an error.
      const exceeded = this.#exceeded()
      if (this.#isWarned && kept.kind === 'spent') throw exceeded
      this.#isWarned = true
    }
    return kept
  }

  async #write(answer: Answer): Promise<Answer> {
    const { storage } = this.#services
    const { mission_id, task_id, attempt, sequence } = answer
    const isNew = this.#mission.answer(task_id, attempt, sequence) === undefined
    try {
      await storage.put(answersCollection, answer, isNew ? { ifAbsent: true } : undefined)
    } catch (error) {
      if (!coreError.is(error, 'CONFLICT')) throw error
      const stored = await storage.get(answersCollection, [mission_id, task_id, attempt, sequence])
      if (stored !== undefined && isAnswerTo(stored, answer)) return stored
      await storage.put(answersCollection, answer)
    }
    return answer
  }

  /** Ends the mission as soon as running tasks have finished. */
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

/** The part of a call that a trace can contain. */
const TOOL_NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u

function misuse(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `The context of a role: ${what}.`)
}

function isAnswerTo(answer: Answer, { kind, request_hash }: Pick<Answer, 'kind' | 'request_hash'>): boolean {
  return answer.kind === kind && answer.request_hash === request_hash
}

/** The value that the role receives: the same whether it is new or recorded, except for the cause of an error. */
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
