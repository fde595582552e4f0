import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id, JsonRecord, nullable } from '../../attributes.js'

/**
 * The right to commit for a subagent. Only the token decides that; the time only says when another process may take
 * over.
 */
export const LeaseSchema = Type.Object({
  agent_id: Id,
  token: Type.String({ minLength: 1, description: 'Never used twice.' }),
  expires_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
})

export type Lease = Static<typeof LeaseSchema>

/** The state from which an execution continues. */
export const CheckpointSchema = Type.Object({
  execution_id: Id,
  agent_id: Id,
  state: Type.Unknown({
    description: 'The state stored by the skill; for a composed skill, the progress of its steps.',
  }),
})

export type Checkpoint = Static<typeof CheckpointSchema>

/** A pause that was requested and has not taken effect yet. */
export const PauseRequestSchema = Type.Object({ agent_id: Id })

export type PauseRequest = Static<typeof PauseRequestSchema>

/** One skill of a run. Parameters are null if a function creates them from earlier results. */
const RunStepSchema = Type.Object({
  skill_name: AnySkillName,
  skill_version: AnyVersion,
  parameters: nullable(JsonRecord),
})

/** The task and progress of a subagent; present while it is running or paused. */
export const RunSchema = Type.Object({
  agent_id: Id,
  steps: Type.Array(RunStepSchema),
  position: Type.Integer({ minimum: 0, description: 'Index of the current step; those before it are done.' }),
  execution_id: nullable(Id),
})

export type RunRecord = Static<typeof RunSchema>
