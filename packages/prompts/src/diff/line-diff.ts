import { guarded } from '@minions/core/plugin'
import type { DiffLine } from './diff-result.js'
import { editRuns } from './edit-regions.js'

/** Compares two texts line by line; equal texts give an empty list, an absent text has no lines. */
export const diffLines = guarded('diffLines', (from: string | undefined, to: string | undefined): DiffLine[] => {
  if (from === to) return []
  const runs = [...editRuns(from?.split('\n') ?? [], to?.split('\n') ?? [])]
  return runs.flatMap(([type, lines]) => lines.map((text) => ({ type, text })))
})
