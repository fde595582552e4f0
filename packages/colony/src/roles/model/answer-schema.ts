import {
  ARTIFACT_ID_FIELDS,
  type ArtifactName,
  artifactSchemas,
  RootMetadataSchema,
  type TaskRoleType,
} from '@minions/colony-contracts'
import { isRecord, type JsonObject } from '@minions/core/json'
import { isOfTask, ROLE_RETURNS } from '../role-contracts.js'

/** Roles that return several artifacts, requested as `{ "artifacts": [...] }` since structured outputs are objects. */
const MANY: ReadonlySet<TaskRoleType> = new Set(['prompt_master', 'librarian'])

/** The JSON Schema of a role's answer: its contract without the fields that the runner fills in. */
export function answerSchema(role: TaskRoleType): JsonObject {
  const [main] = ROLE_RETURNS[role]
  if (role === 'reviewer') {
    const proposals = { type: 'array', items: draftSchema('writeback_proposal') }
    return object({ review: draftSchema('review_packet'), proposals }, ['review'])
  }
  if (MANY.has(role)) return object({ artifacts: { type: 'array', items: draftSchema(main) } }, ['artifacts'])
  return draftSchema(main)
}

/** The role output for an answer, without ids that a model invented: it cannot know which are taken. */
export function outputOf(role: TaskRoleType, answer: unknown): unknown {
  const output = MANY.has(role) && isRecord(answer) && Object.hasOwn(answer, 'artifacts') ? answer.artifacts : answer
  if (Array.isArray(output)) return output.map(withoutIds)
  if (!isRecord(output) || role !== 'reviewer' || !Object.hasOwn(output, 'review')) return withoutIds(output)
  const { review, proposals } = output
  return {
    ...output,
    review: withoutIds(review),
    ...(Array.isArray(proposals) && { proposals: proposals.map(withoutIds) }),
  }
}

/** Maps the location of a problem in the role output back to its location in the answer. */
export function pointerInAnswer(role: TaskRoleType, output: unknown, pointer: string): string {
  if (MANY.has(role) && Array.isArray(output)) return `/artifacts${output.length > 1 ? pointer : `/0${pointer}`}`
  if (role !== 'reviewer' || !isRecord(output) || !Object.hasOwn(output, 'review')) return pointer
  const [, position, rest = ''] = /^\/(\d+)(.*)$/.exec(pointer) ?? ['', '0', pointer]
  return `${position === '0' ? '/review' : `/proposals/${Number(position) - 1}`}${rest}`
}

const OWN_IDS = new Set<string>(Object.values(ARTIFACT_ID_FIELDS).filter((field) => field !== 'mission_id'))

function withoutIds(draft: unknown): unknown {
  if (!isRecord(draft)) return draft
  return Object.fromEntries(Object.entries(draft).filter(([key]) => !OWN_IDS.has(key)))
}

function draftSchema(name: ArtifactName): JsonObject {
  const schema = JSON.parse(JSON.stringify(artifactSchemas[name])) as {
    properties: JsonObject
    required?: string[]
  }
  const omitted = new Set([
    ...Object.keys(RootMetadataSchema.properties),
    ARTIFACT_ID_FIELDS[name],
    ...(isOfTask(name) ? ['task_id'] : []),
  ])
  const properties = Object.fromEntries(Object.entries(schema.properties).filter(([key]) => !omitted.has(key)))
  return object(
    properties,
    (schema.required ?? []).filter((key) => !omitted.has(key)),
  )
}

function object(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required: [...required] }
}
