import { coreError } from '../errors/codes.js'
import { isAbsent } from '../fields/absent.js'
import type { IdSource } from '../ids.js'
import { copyJson } from '../json/copy-json.js'
import { withKeysInOrder } from '../json/key-order.js'
import { type CreateRelationInput, type Relation, RelationSchema } from '../schemas/relation.js'
import { type Clock, readClock } from '../time/clock.js'
import { describeIssues } from '../validation/issue.js'
import { ownSchema } from '../validation/own-schema.js'

const relationSchema = ownSchema(RelationSchema)

/** Creates a relation that shares nothing with the input, or throws `VALIDATION_FAILED` with every problem. */
export function createRelation(input: CreateRelationInput, clock: Clock, generateId: IdSource): Relation {
  const { sourceId, targetId, type, metadata, createdBy } = input
  const relation: Relation = {
    createdAt: input.createdAt ?? readClock(clock),
    id: input.id ?? generateId(),
    sourceId,
    targetId,
    type,
    ...(metadata !== undefined && { metadata }),
    ...(!isAbsent(createdBy) && { createdBy }),
  }
  if (!relationSchema().check(relation)) {
    const errors = relationSchema().issues(relation)
    const message = `The relation cannot be added: ${describeIssues(errors)}.`
    throw coreError('VALIDATION_FAILED', message, { details: { errors } })
  }
  if (metadata !== undefined) relation.metadata = copyJson(metadata, 'The metadata of the relation')
  if (relation.createdBy !== undefined) copyJson(relation.createdBy, 'The creator of the relation')
  return withKeysInOrder(relation)
}
