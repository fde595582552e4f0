import { guarded } from '../errors/guard.js'
import { isRecord } from '../json/is-record.js'
import type { Relation } from '../schemas/relation.js'

/**
 * The name of a relation besides its type: `label` of its metadata. There are exactly twelve types, so a custom
 * relation is one of them, usually `relates_to`, with a label that queries and diagrams recognise.
 */
export const relationLabel = guarded('relationLabel', relationLabelUnchecked)

function relationLabelUnchecked({ metadata }: Pick<Relation, 'metadata'>): string | undefined {
  const label = isRecord(metadata) ? metadata.label : undefined
  return typeof label === 'string' && label !== '' ? label : undefined
}
