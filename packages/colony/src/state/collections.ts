import { defineCollection } from '@minions/core/storage'
import { type Static, Type } from 'typebox'

export const MISSION_STATUSES = ['running', 'paused', 'completed', 'failed', 'cancelled', 'budget_exceeded'] as const
export type MissionStatus = (typeof MISSION_STATUSES)[number]

const text = Type.String()
export const nullableText = Type.Union([Type.String(), Type.Null()])

/** The outcome of a mission as a whole. */
const MissionRunSchema = Type.Object({
  mission_id: text,
  tenant_id: text,
  status: Type.Enum(MISSION_STATUSES),
  started_at: text,
  ended_at: nullableText,
  error: nullableText,
  elapsed_ms: Type.Integer({ minimum: 0, description: 'How long it ran until its end, excluding pauses.' }),
})
export type MissionRun = Static<typeof MissionRunSchema>

/** The process that starts the tasks of a mission, and until when it counts as alive without a renewal. */
const MissionLeaseSchema = Type.Object({
  mission_id: text,
  token: text,
  expires_at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  elapsed_ms: Type.Integer({ minimum: 0, description: 'How long the mission had run then, excluding pauses.' }),
})
export type MissionLease = Static<typeof MissionLeaseSchema>

/** A reference to an artifact; a task graph is identified by its revision. */
export const ArtifactRefSchema = Type.Object({
  schema_name: text,
  id: text,
  revision: Type.Optional(Type.Integer()),
})
export type ArtifactRef = Static<typeof ArtifactRefSchema>

/** The outcome of a task. A completed task is written once, with its artifacts and the end of its execution. */
const TaskRunSchema = Type.Object({
  mission_id: text,
  task_id: Type.String({ description: 'A task of the graph, or `#plan` for the plan itself.' }),
  tenant_id: text,
  status: Type.Enum(['completed', 'failed']),
  attempt: Type.Integer({ minimum: 1 }),
  at: Type.String({ description: 'The time that the role saw.' }),
  graph_revision: Type.Integer({ minimum: 0, description: 'Which plan the role saw; 0 when no role had made one.' }),
  elapsed_ms: Type.Integer({
    minimum: 0,
    description: 'How long the mission had been running then, excluding pauses.',
  }),
  agent_id: nullableText,
  artifacts: Type.Array(ArtifactRefSchema),
  error: nullableText,
})
export type TaskRun = Static<typeof TaskRunSchema>

/** A failure that the role received; `details` as far as they are JSON. */
const AnswerErrorSchema = Type.Object({ code: text, message: text, details: Type.Optional(Type.Unknown()) })
export type AnswerError = Static<typeof AnswerErrorSchema>

/** Something from outside that a role received: from a model, a tool or a prompt. */
const AnswerSchema = Type.Object({
  mission_id: text,
  task_id: text,
  tenant_id: text,
  attempt: Type.Integer({ minimum: 1 }),
  sequence: Type.Integer({ minimum: 0 }),
  kind: Type.Enum(['model', 'tool', 'prompt', 'policy', 'spent']),
  request_hash: text,
  value: Type.Unknown(),
  error: Type.Union([AnswerErrorSchema, Type.Null()]),
  tokens: Type.Number({ minimum: 0 }),
})
export type Answer = Static<typeof AnswerSchema>
export type AnswerKind = Answer['kind']

const required = { type: 'string', required: true } as const
const mission = { mission_id: required, tenant_id: required } as const

export const missionRunsCollection = defineCollection({
  name: 'colony_runs',
  version: 2,
  schema: MissionRunSchema,
  key: 'mission_id',
  columns: { ...mission, status: required },
  indexes: [['tenant_id', 'status']],
  // Leases have their own collection, so that renewing one changes nothing that a commit relies on.
  upgrades: { 1: ({ driver: _, ...run }) => run },
})

export const missionLeasesCollection = defineCollection({
  name: 'colony_leases',
  schema: MissionLeaseSchema,
  key: 'mission_id',
})

export const taskRunsCollection = defineCollection({
  name: 'colony_task_runs',
  schema: TaskRunSchema,
  key: ['mission_id', 'task_id'],
  columns: mission,
  indexes: [['mission_id']],
})

export const answersCollection = defineCollection({
  name: 'colony_answers',
  schema: AnswerSchema,
  key: ['mission_id', 'task_id', 'attempt', 'sequence'],
  columns: mission,
  indexes: [['mission_id']],
})

/** Collections of the colony besides the artifacts. */
export const missionCollections = [
  missionRunsCollection,
  missionLeasesCollection,
  taskRunsCollection,
  answersCollection,
] as const
