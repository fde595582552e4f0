import type { JsonObject } from '@minions/core/json'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import type { RunRecord } from '../state/records.js'

/** Results by skill name. */
export type ChainResults = Record<string, JsonObject>

/** Makes the parameters of a skill of the results so far. */
export type ParametersOf = (results: Readonly<ChainResults>) => object

/** One skill of a run: parameters that are complete and fit, or a function that makes them when it is their turn. */
export interface RunStep {
  readonly skill: RegisteredSkill
  readonly parameters: JsonObject | ParametersOf
}

/** A run as it is stored. Functions cannot be, so a resume in another process has to be given them again. */
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
