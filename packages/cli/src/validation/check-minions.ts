import { type MinionType, validateFields } from '@minions/core'
import { pointerTo } from '@minions/core/json'
import { type Collection, minionsCollection, relationsCollection } from '@minions/core/storage'
import { type DocumentProblem, thrownProblems } from './problem.js'

/** A type by its id, if it is known. */
export type FindType = (id: string) => MinionType | undefined

/** The problems for which a collection would refuse a record. */
export function recordProblems(collection: Pick<Collection, 'toWrite'>, record: unknown): DocumentProblem[] {
  return thrownProblems(() => collection.toWrite(record as never, ''))
}

/** Checks a minion, including its fields if its type is known. */
export function minionProblems(minion: unknown, findType: FindType): DocumentProblem[] {
  const problems = recordProblems(minionsCollection, minion)
  const { minionTypeId, fields } = Object(minion) as { minionTypeId?: unknown; fields?: unknown }
  if (typeof minionTypeId !== 'string' || typeof fields !== 'object' || fields === null) return problems
  const type = findType(minionTypeId)
  if (type === undefined) {
    const message = `is "${minionTypeId}", which is not the id of a known type; name the store that has it with --storage`
    return [...problems, { pointer: '/minionTypeId', code: 'UNKNOWN_TYPE', message }]
  }
  const { errors } = validateFields(fields as Record<string, unknown>, type.schema)
  return [
    ...problems,
    ...errors.map(({ field, code, message }) => ({ pointer: pointerTo('/fields', field), code, message })),
  ]
}

export function relationProblems(relation: unknown): DocumentProblem[] {
  return recordProblems(relationsCollection, relation)
}
