import { guarded } from '../errors/guard.js'
import { isRecord } from '../json/is-record.js'
import type { Relation } from '../schemas/relation.js'

/**
 * What a relation is called besides its type: `label` of its metadata. There are twelve types and no more, so a relation of one's own is
 * one of them, most often `relates_to`, with a label that queries and diagrams know.
 */
export const relationLabel = guarded('relationLabel', relationLabelUnchecked)

function relationLabelUnchecked({ metadata }: Pick<Relation, 'metadata'>): string | undefined {
  const label = isRecord(metadata) ? metadata.label : undefined
  return typeof label === 'string' && label !== '' ? label : undefined
}
