import type { JsonObject } from '@minions/core/json'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import type { RunRecord } from '../state/records.js'

/** Results by skill name. */
export type ChainResults = Record<string, JsonObject>

/** Creates the parameters of a skill from the results so far. */
export type ParametersOf = (results: Readonly<ChainResults>) => object

/** One skill of a run: valid parameters, or a function that creates them when it is their turn. */
export interface RunStep {
  readonly skill: RegisteredSkill
  readonly parameters: JsonObject | ParametersOf
}

/** A stored run. Functions cannot be stored, so a resume in another process must pass them again. */
export function toRunRecord(
  agentId: string,
  steps: readonly RunStep[],
  position: number,
  executionId: string | null,
): RunRecord {
  return {
    agent_id: agentId,
    steps: steps.map(({ skill, parameters }) => ({
      skill_name: skill.name,
      skill_version: skill.version,
      parameters: typeof parameters === 'function' ? null : parameters,
    })),
    position,
    execution_id: executionId,
  }
}
