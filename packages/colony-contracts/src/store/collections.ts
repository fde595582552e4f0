import { type Collection, defineCollection } from '@minions/core/storage'
import { ARTIFACT_ID_FIELDS, type ArtifactName } from '../schemas/artifact.js'
import { WritebackApplicationSchema } from '../writeback/writeback-application.js'
import {
  type ArtifactCollectionDefinition,
  artifactCollection,
  missionReference,
  required,
  rootColumns,
  type StoredKind,
} from './artifact-collection.js'
import { TaskGraphRecordSchema, TaskRecordSchema } from './records.js'

/** The artifacts stored unchanged, one collection for each kind, in the order in which a mission produces them. */
const stored = {
  mission_envelope: kind('mission_envelope', { name: 'colony_missions' }),
  prompt_package: kind('prompt_package', { name: 'colony_prompt_packages', task: 'required' }),
  research_artifact: kind('research_artifact', { name: 'colony_research_artifacts', task: 'required' }),
  librarian_pass: kind('librarian_pass', { name: 'colony_librarian_passes', task: 'required' }),
  worker_result: kind('worker_result', { name: 'colony_worker_results', task: 'required' }),
  aggregation_packet: kind('aggregation_packet', { name: 'colony_aggregation_packets' }),
  review_packet: kind('review_packet', { name: 'colony_review_packets' }),
  policy_decision: kind('policy_decision', {
    name: 'colony_policy_decisions',
    task: 'optional',
    columns: { subject: required },
    indexes: [['mission_id', 'subject', 'producer']],
  }),
  writeback_proposal: kind('writeback_proposal', {
    name: 'colony_writeback_proposals',
    indexes: [['mission_id'], ['proposal_id']],
  }),
}

function kind<Name extends ArtifactName>(
  schemaName: Name,
  definition: Omit<ArtifactCollectionDefinition<Name>, 'schemaName' | 'idField'>,
): StoredKind<Name> {
  return artifactCollection({ ...definition, schemaName, idField: ARTIFACT_ID_FIELDS[schemaName] })
}

/** The kinds with a single collection: all but the task graph, which has two. */
export type StoredName = keyof typeof stored

export const storedKinds: ReadonlyMap<string, StoredKind> = new Map(Object.entries(stored))

/** The collection of one of the ten kinds that is stored unchanged. */
export function collectionOf<Name extends StoredName>(name: Name): (typeof stored)[Name]['collection'] {
  return stored[name].collection
}

export const missionsCollection = collectionOf('mission_envelope')

/** The tasks of all graphs; a new revision replaces the tasks it has and leaves the rest, which may be referenced. */
export const tasksCollection = defineCollection({
  name: 'colony_tasks',
  schema: TaskRecordSchema,
  key: ['mission_id', 'task_id'],
  columns: { ...rootColumns, task_id: required, graph_revision: { type: 'number', required: true } },
  indexes: [['mission_id'], ['task_id']],
  references: [missionReference],
})

/** Every revision of the graph of a mission. A unique key prevents the same graph from becoming a new revision. */
export const taskGraphsCollection = defineCollection({
  name: 'colony_task_graphs',
  schema: TaskGraphRecordSchema,
  key: ['mission_id', 'revision'],
  columns: { ...rootColumns, revision: { type: 'number', required: true }, content_hash: required },
  indexes: [['tenant_id', 'created_at']],
  unique: [['mission_id', 'content_hash']],
  references: [missionReference],
})

/** The state of proposals. The key allows one application per proposal; a compare-and-set advances it. */
export const applicationsCollection = defineCollection({
  name: 'colony_writeback_applications',
  schema: WritebackApplicationSchema,
  key: ['mission_id', 'proposal_id'],
  columns: {
    mission_id: required,
    tenant_id: required,
    producer: required,
    created_at: required,
    proposal_id: required,
    status: required,
    decision_id: 'string',
  },
  indexes: [['tenant_id', 'status', 'created_at']],
  references: [
    missionReference,
    { columns: ['mission_id', 'proposal_id'], collection: 'colony_writeback_proposals' },
    { columns: ['mission_id', 'decision_id'], collection: 'colony_policy_decisions' },
  ],
})

/** The twelve collections of the store. */
export const colonyCollections: readonly Collection[] = [
  missionsCollection,
  taskGraphsCollection,
  tasksCollection,
  ...[...storedKinds.values()].slice(1).map(({ collection }) => collection),
  applicationsCollection,
]
