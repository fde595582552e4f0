import { type Static, Type } from 'typebox'
import { AnySkillName, AnyVersion, Id, JsonRecord, nullable } from '../../attributes.js'

/** Who may commit for a subagent. The token alone decides that; the time only when another process may take over. */
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
  state: Type.Unknown({ description: 'Whatever the skill stored; for a composed skill how far its steps have come.' }),
})

export type Checkpoint = Static<typeof CheckpointSchema>

/** A pause that was requested and has not taken effect yet. */
export const PauseRequestSchema = Type.Object({ agent_id: Id })

export type PauseRequest = Static<typeof PauseRequestSchema>

/** One skill of a run. Parameters are null when a function makes them of earlier results. */
const RunStepSchema = Type.Object({
  skill_name: AnySkillName,
  skill_version: AnyVersion,
  parameters: nullable(JsonRecord),
})

/** What a subagent was told to run and how far it has come; there while it is running or paused. */
export const RunSchema = Type.Object({
  agent_id: Id,
  steps: Type.Array(RunStepSchema),
  position: Type.Integer({ minimum: 0, description: 'Index of the step under way; those before it are done.' }),
  execution_id: nullable(Id),
})

export type RunRecord = Static<typeof RunSchema>
