import { abortable } from '@minions/core/coordination'
import type { JsonObject, JsonValue } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { defineSkill } from '../skills/definition/define-skill.js'
import type { CompleteSkill } from '../skills/definition/skill.js'
import type { SkillContext } from '../skills/definition/skill-context.js'
import type { SkillRecord } from '../skills/definition/skill-schema.js'

/** The script of an attempt: one action, or several in order, the last of which must end it. */
export type Script = Action | readonly Action[]

/** One action of an attempt. */
export type Action =
  | { readonly return: unknown }
  | { readonly throw: unknown }
  /** Waits until something else ends the attempt, and obeys its signal. */
  | { readonly hang: true }
  /** Waits forever and ignores the signal. */
  | { readonly ignoreSignal: true }
  | { readonly checkpoint: JsonValue }
  | { readonly progress: number }
  /** Waits for a promise, such as that of a virtual clock. */
  | { readonly wait: (context: SkillContext) => unknown }

/** One call of a scripted skill, as its code saw it. */
export interface Call {
  readonly params: JsonObject
  readonly attempt: number
  readonly agentId: string
  readonly executionId: string
  readonly idempotencyKey: string
  readonly state: JsonValue | undefined
}

/** A scripted skill that records its calls. */
export type ScriptedSkill = CompleteSkill & { readonly calls: readonly Call[] }

/**
 * Creates a skill that follows a script: one entry per call, the last of which is used for all further calls.
 */
export const scriptedSkill = guarded('scriptedSkill', scriptedSkillUnchecked)

function scriptedSkillUnchecked(
  name: string,
  scripts: readonly Script[] = [{ return: {} }],
  record: Partial<SkillRecord> & { readonly retryTimeouts?: boolean } = {},
): ScriptedSkill {
  const calls: Call[] = []
  const skill = defineSkill({
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    ...record,
    name,
    async execute(params, context) {
      const { attempt, agentId, executionId, idempotencyKey, state } = context
      const script = scripts[Math.min(calls.length, scripts.length - 1)] ?? { return: {} }
      const copy = structuredClone(params) as JsonObject
      calls.push({ params: copy, attempt, agentId, executionId, idempotencyKey, state })
      return (await follow(Array.isArray(script) ? script : [script as Action], context)) as JsonObject
    },
  })
  return Object.freeze({ ...skill, calls })
}

async function follow(actions: readonly Action[], context: SkillContext): Promise<unknown> {
  for (const action of actions) {
    if ('return' in action) return action.return
    if ('throw' in action) throw action.throw
    if ('checkpoint' in action) await context.checkpoint(action.checkpoint)
    else if ('progress' in action) context.progress(action.progress)
    else if ('wait' in action) await action.wait(context)
    else await abortable(new Promise(() => {}), 'hang' in action ? context.signal : undefined)
  }
  return {}
}
