import { coreError } from '../errors/codes.js'
import { type IdSource, isId } from '../ids.js'
import { copyJson } from '../json/copy-json.js'
import { withKeysInOrder } from '../json/key-order.js'
import { type CreateRelationInput, RELATION_TYPES, type Relation, type RelationType } from '../schemas/relation.js'
import { TIMESTAMP_RULE } from '../schemas/timestamp.js'
import { type Clock, readClock } from '../time/clock.js'
import { isDateTime } from '../time/date-time.js'

const relationTypes: ReadonlySet<unknown> = new Set(RELATION_TYPES)

/** True if a value is one of the twelve relation types. */
function isRelationType(value: unknown): value is RelationType {
  return relationTypes.has(value)
}

/** Creates a relation that shares nothing with the input, or throws `VALIDATION_FAILED` with every problem. */
export function createRelation(input: CreateRelationInput, clock: Clock, generateId: IdSource): Relation {
  const given: Partial<Record<keyof Relation, unknown>> = Object(input)
  const id = given.id ?? generateId()
  const createdAt = given.createdAt ?? readClock(clock)
  const { sourceId, targetId, type } = given
  if (isId(id) && isId(sourceId) && isId(targetId) && isRelationType(type) && isDateTime(createdAt)) {
    const relation: Relation = { createdAt, id, sourceId, targetId, type }
    if (given.metadata !== undefined) relation.metadata = copyJson(given.metadata, 'The metadata of the relation')
    const { createdBy } = given
    if (isAbsent(createdBy)) return withKeysInOrder(relation)
    if (typeof createdBy === 'string') {
      relation.createdBy = copyJson(createdBy, 'The creator of the relation')
      return withKeysInOrder(relation)
    }
  }
  throw refusal({ ...given, id, createdAt })
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function refusal(given: Partial<Record<keyof Relation, unknown>>): Error {
  const errors: { pointer: string; message: string }[] = []
  for (const key of ['id', 'sourceId', 'targetId'] as const) {
    if (!isId(given[key])) {
      errors.push({ pointer: `/${key}`, message: 'must be 1 to 128 letters, digits or . _ / : - without ..' })
    }
  }
  if (!isRelationType(given.type)) {
    errors.push({ pointer: '/type', message: `must be one of ${RELATION_TYPES.join(', ')}` })
  }
  if (!isDateTime(given.createdAt)) {
    errors.push({ pointer: '/createdAt', message: TIMESTAMP_RULE })
  }
  if (!isAbsent(given.createdBy) && typeof given.createdBy !== 'string') {
    errors.push({ pointer: '/createdBy', message: 'must be a string' })
  }
  const problems = errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`).join('; ')
  return coreError('VALIDATION_FAILED', `The relation cannot be added: ${problems}.`, { details: { errors } })
}
