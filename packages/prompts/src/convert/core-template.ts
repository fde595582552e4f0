import type { Minion } from '@minions/core'
import { guarded, takeOptions } from '@minions/core/plugin'
import { promptsError } from '../errors.js'
import { promptTemplateType } from '../types/prompt-template.js'

/** The id of core's own prompt template type, which keeps its text in `template`. */
export const CORE_PROMPT_TEMPLATE_ID = 'builtin-prompt-template'

/**
 * Converts a core prompt template to a prompt of this package. `template` and `content` are swapped; all other fields,
 * including `outputFormat`, and all attributes are unchanged, so that `toCoreTemplate` restores the same minion.
 */
export const fromCoreTemplate = guarded('fromCoreTemplate', (minion: Minion): Minion => {
  return convert(minion, CORE_PROMPT_TEMPLATE_ID, promptTemplateType.id)
})

/** Converts a prompt of this package to a core prompt template; the exact inverse of `fromCoreTemplate`. */
export const toCoreTemplate = guarded('toCoreTemplate', (minion: Minion): Minion => {
  return convert(minion, promptTemplateType.id, CORE_PROMPT_TEMPLATE_ID)
})

function convert(minion: Minion, from: string, to: string): Minion {
  if (minion.minionTypeId !== from) {
    throw promptsError(
      'PROMPT_TYPE_MISMATCH',
      `Minion "${minion.id}" is of type "${minion.minionTypeId}" and cannot be converted; only "${from}" can.`,
      { details: { id: minion.id, minionTypeId: minion.minionTypeId, expected: from } },
    )
  }
  // Swapping rather than renaming keeps a field that already has the other name.
  const fields = Object.fromEntries(
    Object.entries(takeOptions('The fields of a prompt', minion.fields)).map(([name, value]) => [swapped(name), value]),
  )
  return { ...minion, minionTypeId: to, fields }
}

function swapped(name: string): string {
  if (name === 'template') return 'content'
  return name === 'content' ? 'template' : name
}
