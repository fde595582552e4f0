/** The parts of records that pages show. Their schemas belong to the operations that give them. */

export interface Minion {
  readonly id: string
  readonly title: string
  readonly minionTypeId: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly updatedAt: string
  readonly tags?: readonly string[]
  readonly status?: string
  readonly priority?: string
  readonly description?: string
  readonly dueDate?: string
  readonly createdBy?: string
  readonly updatedBy?: string
  readonly deletedAt?: string | null
}

export interface MinionRecord {
  readonly minion: Minion
  readonly revision: string
}

export interface FieldDefinition {
  readonly name: string
  readonly type: string
  readonly label?: string
  readonly description?: string
  readonly required?: boolean
  readonly defaultValue?: unknown
  readonly options?: readonly string[]
}

export interface MinionType {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly schema: readonly FieldDefinition[]
  readonly description?: string
  readonly isSystem?: boolean
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

export interface Relation {
  readonly id: string
  readonly sourceId: string
  readonly targetId: string
  readonly type: string
}
