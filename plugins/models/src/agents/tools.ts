import type { LanguageModelV4FunctionTool, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { JsonObject } from '@minions/core/json'
import type { RegisteredSkill, SkillRegistry } from '@minions/skills-runtime'
import type { ChildOutcome } from './children.js'
import { AGENT_TAG } from './definition.js'
import type { PendingCall } from './state.js'

/** Maximum length of a tool result for a model, in characters; the execution keeps all of it. */
const LONGEST_RESULT = 100_000

const ASK_SCHEMA = {
  type: 'object' as const,
  properties: {
    input: { type: 'string' as const, description: 'The question or task, with everything needed to answer it.' },
  },
  required: ['input'],
}

/** A skill as a tool of a model. Of agents, a model sees only what it can sensibly pass. */
function skillTool(skill: RegisteredSkill): LanguageModelV4FunctionTool {
  const { name, description, parameters_schema, tags } = skill
  const inputSchema = tags.includes(AGENT_TAG)
    ? ASK_SCHEMA
    : (parameters_schema as LanguageModelV4FunctionTool['inputSchema'])
  return { type: 'function', name, inputSchema, ...(description && { description }) }
}

/** The tools for these skills, in their order. Throws `NOT_FOUND`. */
export function skillTools(registry: SkillRegistry, names: readonly string[]): LanguageModelV4FunctionTool[] {
  return names.map((name) => skillTool(registry.getSkill(name)))
}

/** The outcome of a call, for the model. */
export function resultPart({ id, name }: PendingCall, outcome: ChildOutcome): LanguageModelV4ToolResultPart {
  const output =
    'error' in outcome
      ? { type: 'error-text' as const, value: cut(outcome.error) }
      : { type: 'text' as const, value: cut(outcome.text ?? textOf(outcome.result)) }
  return { type: 'tool-result', toolCallId: id, toolName: name, output }
}

/** An agent's answer is its text; anything else is JSON. */
function textOf(result: JsonObject): string {
  return typeof result.text === 'string' && typeof result.finish === 'string' ? result.text : JSON.stringify(result)
}

function cut(text: string): string {
  return text.length > LONGEST_RESULT ? `${text.slice(0, LONGEST_RESULT).toWellFormed()}… (cut)` : text
}
