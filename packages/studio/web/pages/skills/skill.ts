import type { JsonSchema } from '../../forms/schema.ts'

/** The parts of a skill that pages show. */
export interface Skill {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters_schema?: JsonSchema
}

export interface Agent {
  readonly agent_id: string
  readonly name: string
  readonly state: string
  readonly assigned_skill: string | null
  readonly created_at: string
  readonly error: string | null
}
