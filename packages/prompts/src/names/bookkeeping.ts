import type { Relation } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { publicationNumber } from '../versions/publications.js'
import { namingIn } from './namings.js'

/** True for a relation of a prompt to itself that records one of its names or its original state. */
export const isPromptBookkeeping = guarded('isPromptBookkeeping', (relation: Relation): boolean => {
  if (relation.type !== 'references' || relation.sourceId !== relation.targetId) return false
  return namingIn(relation) !== undefined || publicationNumber(relation) > 0
})
