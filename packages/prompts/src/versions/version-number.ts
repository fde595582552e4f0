import { guarded } from '@minions/core/plugin'
import { isTemplate, type PromptMinion } from '../chain/prompt-minion.js'

/** The number of a version; 0 for a prompt, null for a version created without one. */
export const versionNumber = guarded('versionNumber', (minion: PromptMinion): number | null => {
  return isTemplate(minion) ? 0 : (minion.fields.versionNumber ?? null)
})
