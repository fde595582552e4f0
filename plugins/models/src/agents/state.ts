import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import { type Static, Type } from 'typebox'
import { answered } from '../door/conversation.js'

/** Why an agent ended. All but `stop` and `tool-calls` leave the task unfinished. */
const AGENT_FINISHES = [
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'other',
  'steps',
  'tokens',
  'cost',
  'time',
  'repeated',
] as const
export type AgentFinish = (typeof AGENT_FINISHES)[number]

/** Usage of a run so far, including the agents it asked. */
export interface Spent {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cost: number
  /** True if some numbers are estimates, because a provider did not report them. */
  readonly estimated: boolean
}

/** A pending tool call, with the subagent that runs it. */
export interface PendingCall {
  readonly id: string
  readonly name: string
  /** The arguments from the model; null if unreadable. */
  readonly input: JsonObject | null
  readonly agent_id: string | null
  /** Why it was not begun. */
  readonly refused: string | null
}

/** Everything that a run of an agent is resumed from. */
export interface LoopState {
  readonly messages: LanguageModelV4Prompt
  readonly steps: number
  readonly spent: Spent
  /** Milliseconds that earlier processes worked on it. */
  readonly elapsedMs: number
  /** Calls of the last answer whose results are not part of the messages yet. */
  readonly calls: readonly PendingCall[]
  /** Number of identical calls in a row. */
  readonly repeated: number
  readonly lastCalls: string
  readonly text: string
}

/** The result of an agent; `tool_calls` are those of tools that the caller runs itself. */
export const AgentResultSchema = Type.Object({
  text: Type.String(),
  finish: Type.Enum(AGENT_FINISHES),
  steps: Type.Integer(),
  ...answered,
  handed_over_to: Type.Optional(Type.String()),
})
/** The result of an agent; `handed_over_to` names the agent that has given the answer, if this one handed over. */
export type AgentResult = Readonly<Static<typeof AgentResultSchema>>

export const NOTHING_SPENT: Spent = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cost: 0, estimated: false }

/** The usage in the result of another agent. */
export function spentIn({ usage, cost }: JsonObject): Partial<Spent> {
  const counts = isRecord(usage) ? usage : {}
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    inputTokens: number(counts.inputTokens),
    outputTokens: number(counts.outputTokens),
    totalTokens: number(counts.totalTokens),
    cost: number(cost),
    estimated: counts.estimated === true,
  }
}

export function addSpent(a: Spent, b: Partial<Spent>): Spent {
  return {
    inputTokens: a.inputTokens + (b.inputTokens ?? 0),
    outputTokens: a.outputTokens + (b.outputTokens ?? 0),
    totalTokens: a.totalTokens + (b.totalTokens ?? 0),
    cost: a.cost + (b.cost ?? 0),
    estimated: a.estimated || b.estimated === true,
  }
}

/** JSON of a state, for a checkpoint, without undefined values. */
export function toJson(state: LoopState): JsonValue {
  return JSON.parse(JSON.stringify(state)) as JsonValue
}
