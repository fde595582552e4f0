import { isMinionsError } from '@minions/core'
import { canonicalJson, type JsonObject } from '@minions/core/json'
import type { AgentFunction, GateErrorCode } from '@minions/core/plugin'
import type { SkillContext } from '@minions/skills-runtime'
import type { ModelAnswer } from '../door/call.js'
import {
  type ConversationMessage,
  conversationCalls,
  type OutsideTool,
  outsideTool,
  promptOf,
} from '../door/conversation.js'
import { parseInput } from '../door/read-answer.js'
import { modelsError } from '../errors.js'
import { nameOf } from '../provider/language-model.js'
import { answerLimit, stopReason } from './budget.js'
import { type ChildOutcome, Children, MAX_DEPTH } from './children.js'
import { type AgentDefinition, ASKING_TAGS, DEFAULT_STEPS, HAND_OVER_TAG } from './definition.js'
import { runFunction } from './functions.js'
import { progressText } from './progress-text.js'
import type { AgentServices } from './services.js'
import {
  type AgentFinish,
  type AgentResult,
  addSpent,
  type LoopState,
  NOTHING_SPENT,
  type PendingCall,
  spentIn,
  toJson,
} from './state.js'
import { resultPart, skillTools } from './tools.js'

/** The input of an agent. */
export interface AgentInput {
  readonly input?: string
  readonly messages?: readonly ConversationMessage[]
  readonly tools?: readonly OutsideTool[]
}

/**
 * One run of an agent: the model is called, the skills it requests are run, and so on until it has an answer or a limit
 * is reached. The answer of the model is stored before anything is done with it, and each skill is run by a subagent
 * that is stored before it begins, so that a resume repeats neither.
 */
export class AgentLoop {
  readonly #services: AgentServices
  readonly #definition: AgentDefinition
  readonly #input: AgentInput
  readonly #context: SkillContext
  readonly #children: Children
  readonly #skillNames: readonly string[]
  /** Tools that are functions of this process. */
  readonly #functions: ReadonlyMap<string, AgentFunction>
  /** Milliseconds that earlier processes and attempts worked on it. */
  readonly #before: number
  #state: LoopState

  private constructor(
    services: AgentServices,
    definition: AgentDefinition,
    input: AgentInput,
    context: SkillContext,
    state: LoopState,
  ) {
    this.#services = services
    this.#definition = definition
    this.#input = input
    this.#context = context
    this.#children = new Children(services.skills, context)
    this.#skillNames = (definition.skills ?? []).map((skill) => (typeof skill === 'string' ? skill : skill.name))
    this.#functions = new Map((definition.functions ?? []).map((each) => [each.name, each]))
    this.#before = state.elapsedMs
    this.#state = state
  }

  /** Runs an agent from its beginning, or from its last checkpoint. */
  static async run(
    services: AgentServices,
    definition: AgentDefinition,
    input: AgentInput,
    context: SkillContext,
  ): Promise<AgentResult> {
    const stored = context.state as LoopState | undefined
    const state = stored ?? (await beginning(services, definition, input))
    const loop = new AgentLoop(services, definition, input, context, state)
    return loop.#run()
  }

  async #run(): Promise<AgentResult> {
    const { budget = {}, maxSteps = DEFAULT_STEPS } = this.#definition
    this.#requirePrice()
    for (;;) {
      const handedOver = await this.#finishCalls()
      if (handedOver) return handedOver
      const stop = stopReason(this.#state, budget, maxSteps, this.#elapsed())
      if (stop !== undefined) return this.#result(stop)
      const answer = await this.#ask()
      if (answer === undefined) return this.#result('time')
      const result = this.#take(answer)
      if (result) return result
      await this.#checkpoint()
    }
  }

  /** Calls the model. Resolves to undefined if the time is up before it has answered. */
  async #ask(): Promise<ModelAnswer | undefined> {
    const services = this.#services
    const context = this.#context
    const { model, temperature, maxTokens, budget = {}, maxSteps = DEFAULT_STEPS } = this.#definition
    const listener = services.listener(context.agentId)
    const progress = progressText(context, services.timers, this.#state.steps / maxSteps)
    const others = [...this.#functions.values(), ...(this.#input.tools ?? [])]
    const deadline = this.#deadline(budget.seconds)
    try {
      const answer = await services.models.call({
        prompt: this.#state.messages,
        ...(typeof model === 'string' ? { role: model } : { model }),
        tools: [...skillTools(services.skills.registry, this.#skillNames), ...others.map(outsideTool)],
        temperature,
        maxTokens: answerLimit(this.#state, budget, maxTokens),
        signal: deadline.signal,
        onText(piece) {
          listener?.(piece)
          progress.add(piece)
        },
        // A reader that received part of the text must not receive it twice.
        onRestart: listener ? undefined : () => progress.restart(),
        idempotencyKey: `${context.idempotencyKey}/${this.#state.steps}`,
      })
      progress.end()
      return answer
    } catch (error) {
      context.signal.throwIfAborted()
      if (deadline.signal.aborted) return undefined
      throw error
    } finally {
      deadline.end()
    }
  }

  /** Adds an answer to the state, or returns the result if it is the last. */
  #take({ message, text, toolCalls, finish, usage, cost }: ModelAnswer): AgentResult | undefined {
    const isOurs = ({ name }: { readonly name: string }) =>
      !(this.#input.tools ?? []).some((each) => each.name === name)
    const theirs = toolCalls.filter((call) => !isOurs(call))
    const lastCalls = canonicalJson(toolCalls.map(({ name, input }) => [name, input]))
    this.#state = {
      ...this.#state,
      messages: [...this.#state.messages, message],
      steps: this.#state.steps + 1,
      spent: addSpent(this.#state.spent, { ...usage, ...(cost !== undefined && { cost }) }),
      calls: theirs.length > 0 ? [] : toolCalls.map(({ id, name, input }) => pendingCall(id, name, input)),
      repeated: lastCalls === this.#state.lastCalls ? this.#state.repeated + 1 : 1,
      lastCalls,
      text,
    }
    if (theirs.length > 0) return { ...this.#result('tool-calls'), tool_calls: conversationCalls(theirs) }
    return toolCalls.length > 0 ? undefined : this.#result(finish)
  }

  /** Runs the skills that the last answer requested. Resolves to a result if the agent handed over. */
  async #finishCalls(): Promise<AgentResult | undefined> {
    if (this.#state.calls.length === 0) return undefined
    if (this.#state.calls.some((call) => !this.#functions.has(call.name) && isUnprepared(call))) {
      this.#state = { ...this.#state, calls: await Promise.all(this.#state.calls.map((call) => this.#prepare(call))) }
      await this.#checkpoint()
    }
    const outcomes = await Promise.all(this.#state.calls.map((call) => this.#outcome(call)))
    const { registry } = this.#services.skills
    let spent = this.#state.spent
    let handedOver: { readonly agent: string; readonly text: string } | undefined
    for (const [index, outcome] of outcomes.entries()) {
      const { name } = this.#state.calls[index] as PendingCall
      if ('error' in outcome || this.#functions.has(name)) continue
      const { tags } = registry.getSkill(name)
      if (ASKING_TAGS.some((tag) => tags.includes(tag))) spent = addSpent(spent, spentIn(outcome.result))
      const { agent, text } = outcome.result
      if (tags.includes(HAND_OVER_TAG) && typeof agent === 'string' && typeof text === 'string')
        handedOver ??= { agent, text }
    }
    const content = outcomes.map((outcome, index) => resultPart(this.#state.calls[index] as PendingCall, outcome))
    this.#state = { ...this.#state, messages: [...this.#state.messages, { role: 'tool', content }], calls: [], spent }
    if (handedOver === undefined) return undefined
    return { ...this.#result('stop'), text: handedOver.text, handed_over_to: handedOver.agent }
  }

  async #prepare(call: PendingCall): Promise<PendingCall> {
    if (call.agent_id !== null || call.refused !== null) return call
    const refused = await this.#refusal(call)
    if (refused !== undefined) return { ...call, refused }
    return this.#functions.has(call.name) ? call : { ...call, agent_id: await this.#children.spawn() }
  }

  /** The reason why a call is not made, for the model. */
  async #refusal({ name, input }: PendingCall): Promise<string | undefined> {
    if (!this.#skillNames.includes(name) && !this.#functions.has(name)) {
      const names = [...this.#skillNames, ...this.#functions.keys()].join(', ')
      return `There is no tool ${JSON.stringify(name.slice(0, 100))}; the tools are ${names}.`
    }
    if (input === null) return 'The arguments are not a JSON object; call the tool again with valid JSON.'
    if ((await this.#children.depth()) >= MAX_DEPTH) {
      return `Agents may not call each other more than ${MAX_DEPTH} levels deep.`
    }
    const { contracts } = this.#services
    const { mission_id, tenant_id, task_id } = await this.#children.metadata()
    if (!contracts || typeof mission_id !== 'string' || typeof tenant_id !== 'string' || typeof task_id !== 'string') {
      return undefined
    }
    try {
      await contracts.gate.assertToolAllowed({ mission_id, tenant_id, task_id }, name)
      return undefined
    } catch (error) {
      if (isMinionsError<GateErrorCode>(error, 'POLICY_DENIED')) return error.message
      throw error
    }
  }

  async #outcome(call: PendingCall): Promise<ChildOutcome> {
    const { name, input, agent_id, refused } = call
    const own = this.#functions.get(name)
    if (refused === null && own) {
      const refusal = await this.#refusal(call)
      return refusal === undefined ? runFunction(own, input ?? {}, this.#context.signal) : { error: refusal }
    }
    if (refused !== null || agent_id === null) return { error: refused ?? 'It was not started.' }
    try {
      return await this.#children.outcome(agent_id, name, input ?? {})
    } catch (error) {
      // The runtime is shutting down: it ends the run at a checkpoint, from which it is resumed.
      if (!this.#context.signal.aborted) await this.#checkpoint()
      throw error
    }
  }

  async #checkpoint(): Promise<void> {
    await this.#context.checkpoint(toJson({ ...this.#state, elapsedMs: this.#elapsed() }))
  }

  #elapsed(): number {
    return Math.round(this.#before + this.#context.elapsedMs)
  }

  /** Aborted with the run, or when the time is up. */
  #deadline(seconds: number | undefined): { readonly signal: AbortSignal; readonly end: () => void } {
    const { signal } = this.#context
    if (seconds === undefined) return { signal, end: () => undefined }
    const own = new AbortController()
    const cancel = this.#services.timers.set(Math.max(0, seconds * 1000 - this.#elapsed()), () => own.abort())
    return { signal: AbortSignal.any([signal, own.signal]), end: cancel }
  }

  #requirePrice(): void {
    const { name, model, budget } = this.#definition
    if (budget?.cost === undefined) return
    const chosen = typeof model === 'object' ? model : this.#services.models.modelFor(model)
    if (this.#services.models.knowsPriceOf(nameOf(chosen))) return
    const message = `The agent "${name}" has a budget for cost, but the price of ${nameOf(chosen)} is unknown; add it to models({ prices }).`
    throw modelsError('BUDGET_INVALID', message)
  }

  #result(finish: AgentFinish): AgentResult {
    const { text, steps, spent } = this.#state
    const { cost, estimated, ...usage } = spent
    return { text, finish, steps, usage: { ...usage, ...(estimated && { estimated }) }, ...(cost > 0 && { cost }) }
  }
}

async function beginning(
  { prompts }: AgentServices,
  { name, prompt }: AgentDefinition,
  { input, messages = [] }: AgentInput,
): Promise<LoopState> {
  if (input === undefined && messages.length === 0) {
    throw modelsError('VALIDATION_FAILED', `The agent "${name}" needs an \`input\`, or \`messages\`.`)
  }
  let system = prompt
  if (typeof system !== 'string') {
    if (!prompts)
      throw modelsError('VALIDATION_FAILED', `The agent "${name}" has a stored prompt; add prompts() to the app.`)
    system = await prompts.render(system.prompt, system.variables ?? {})
  }
  const asked: ConversationMessage[] = input === undefined ? [] : [{ role: 'user', content: input }]
  return {
    messages: [{ role: 'system', content: String(system) }, ...promptOf([...messages, ...asked])],
    steps: 0,
    spent: NOTHING_SPENT,
    elapsedMs: 0,
    calls: [],
    repeated: 0,
    lastCalls: '',
    text: '',
  }
}

function isUnprepared({ agent_id, refused }: PendingCall): boolean {
  return agent_id === null && refused === null
}

function pendingCall(id: string, name: string, input: string): PendingCall {
  return { id, name, input: (parseInput(input) ?? null) as JsonObject | null, agent_id: null, refused: null }
}
