import type { Minion } from '@minions/core'

export type { FieldDefinition, Minion, MinionType, Relation } from '@minions/core'

/** The parts of other records that pages show. Their schemas belong to the operations that give them. */

export interface MinionRecord {
  readonly minion: Minion
  readonly revision: string
}

export interface Task {
  readonly task_id: string
  readonly role_type: string
  readonly depends_on: readonly string[]
  readonly status: string
  readonly attempt: number
  readonly error: string | null
}

export interface MissionProgress {
  readonly mission_id: string
  readonly tenant_id: string
  readonly status: string
  readonly active: boolean
  readonly tasks: readonly Task[]
  readonly completed: number
  readonly total: number
  readonly tokens_used: number
  readonly elapsed_ms: number
  readonly started_at: string
  readonly ended_at: string | null
  readonly error: string | null
}

export interface MissionEnvelope {
  readonly mission_id: string
  readonly user_goal: string
  readonly time_budget_ms?: number
  readonly token_budget?: number
  readonly created_at: string
}

export interface ListedMission {
  readonly mission_id: string
  readonly status: string
  readonly started_at: string | null
  readonly ended_at: string | null
  readonly error: string | null
  readonly envelope: MissionEnvelope
}

export interface Artifact {
  readonly schema_name: string
  readonly mission_id: string
  readonly created_at: string
  readonly producer: string
  readonly task_id?: string
  readonly [name: string]: unknown
}

export interface Execution {
  readonly execution_id: string
  readonly agent_id: string
  readonly skill_name: string
  readonly status: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly result: unknown
  readonly error: string | null
  readonly retry_count: number
  readonly started_at: string
  readonly completed_at: string | null
  readonly duration_ms: number | null
}
