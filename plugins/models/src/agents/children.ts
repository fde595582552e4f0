import { coreError, isMinionsError, messageOf } from '@minions/core'
import { cancelOnAbort } from '@minions/core/coordination'
import { getOwn, isRecord, type JsonObject } from '@minions/core/json'
import {
  inheritedMetadata,
  type SkillContext,
  type SkillsErrorCode,
  type Subagent,
  type SubagentManager,
} from '@minions/skills-runtime'

/** The outcome of a skill that its own subagent ran. */
export type ChildOutcome = { readonly result: JsonObject; readonly text?: string } | { readonly error: string }

const STOPPED: readonly string[] = ['INTERRUPTED', 'LEASE_LOST', 'CLOSED'] satisfies SkillsErrorCode[]
const MOST_PROBLEMS = 10

/** Maximum depth of agents that ask agents. */
export const MAX_DEPTH = 8

/** Runs skills for an agent, each in its own subagent, so that a resume finds their outcomes. */
export class Children {
  readonly #manager: SubagentManager
  readonly #context: SkillContext
  #own: Promise<Subagent> | undefined

  constructor(manager: SubagentManager, context: SkillContext) {
    this.#manager = manager
    this.#context = context
  }

  /** The metadata of the agent itself: on whose behalf it runs, mission, task, and depth. */
  async metadata(): Promise<JsonObject> {
    this.#own ??= this.#manager.get(this.#context.agentId)
    return ((await this.#own).metadata ?? {}) as JsonObject
  }

  async depth(): Promise<number> {
    return Number((await this.metadata()).agent_depth ?? 0)
  }

  /** Creates the subagent for a skill. It does nothing until `outcome` lets it run. */
  async spawn(): Promise<string> {
    const inherited = inheritedMetadata(this.#context.agentId, await this.metadata())
    const metadata = { ...inherited, agent_depth: (await this.depth()) + 1 }
    return (await this.#manager.spawn({ metadata })).agent_id
  }

  /**
   * Runs the skill of a subagent, or continues what another process began, and resolves to its outcome. Rejects only if
   * the run of the agent itself has ended.
   */
  async outcome(agentId: string, skill: string, input: JsonObject): Promise<ChildOutcome> {
    const { signal } = this.#context
    const stop = () => {
      // A run interrupted by a shutdown is resumed, and so is what it was waiting for.
      if (isMinionsError(signal.reason) && STOPPED.includes(signal.reason.code)) return
      void this.#manager.cancel(agentId).catch(() => undefined)
    }
    signal.throwIfAborted()
    try {
      return await cancelOnAbort(signal, stop, () => this.#outcome(agentId, skill, input))
    } catch (error) {
      signal.throwIfAborted()
      if (isMinionsError(error) && STOPPED.includes(error.code)) throw error
      return { error: explain(error) }
    }
  }

  async #outcome(agentId: string, skill: string, input: JsonObject): Promise<ChildOutcome> {
    const known = await this.#manager.get(agentId)
    if (known.state === 'idle') return { result: await this.#manager.run(agentId, skill, input) }
    if (known.state === 'running' || known.state === 'paused') {
      await this.#manager.resume(agentId).catch((error: unknown) => {
        if (!coreError.is(error, 'CONFLICT')) throw error
      })
    }
    const { state, results, error } = await this.#manager.wait(agentId)
    if (state === 'completed') return { result: (getOwn(results, skill) ?? {}) as JsonObject }
    return { error: error ?? 'it failed' }
  }
}

/** The message to a model about a failed call. */
function explain(error: unknown): string {
  const cause = isMinionsError<SkillsErrorCode>(error, 'SKILL_FAILED') ? (error.cause ?? error) : error
  const problems = isMinionsError(cause) && Array.isArray(cause.details.errors) ? cause.details.errors : []
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .flatMap((each) => (isRecord(each) && typeof each.message === 'string' ? [each.message] : []))
  return [messageOf(cause, 2000), ...lines].join('\n')
}
