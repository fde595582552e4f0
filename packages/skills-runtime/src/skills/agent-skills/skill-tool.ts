import type { JsonObject } from '@minions/core/json'
import type { SubagentManager } from '../../runtime/manager/subagent-manager.js'

const PARAMETERS = {
  type: 'object',
  properties: {
    skill: { type: 'string', minLength: 1, description: 'Name of the skill.' },
    parameters: { type: 'object', default: {}, description: 'Parameters of the skill.' },
  },
  required: ['skill'],
  additionalProperties: false,
} as const

const DESCRIPTION = [
  'Runs a skill. Without parameters, a skill that consists of instructions returns them, with the names of its files and scripts:',
  'read them before you act. The parameters { "resource": "<path>" } read one of its files.',
  'Its scripts are skills too and take { "args": ["…"], "stdin": "…" }.',
].join(' ')

/** A tool with which a language model uses skills; agents of `@minions/workspace` accept it directly. */
export interface SkillTool {
  readonly name: 'run_skill'
  readonly description: string
  /** JSON Schema of the parameters. */
  readonly parameters: typeof PARAMETERS
  readonly run: (parameters: JsonObject, options?: { readonly signal?: AbortSignal }) => Promise<object>
}

/** Wraps the skills of a manager as one tool. Each call is run by its own subagent and recorded. */
export function skillTool(skills: Pick<SubagentManager, 'spawn' | 'run'>): SkillTool {
  return {
    name: 'run_skill',
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async run({ skill, parameters }, { signal } = {}) {
      const { agent_id } = await skills.spawn({})
      return skills.run(agent_id, skill as string, (parameters ?? {}) as JsonObject, signal ? { signal } : {})
    },
  }
}
