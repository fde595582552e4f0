import { guarded } from '@minions/core/plugin'
import type { DiffLine } from './diff-result.js'
import { editRegions } from './edit-regions.js'

/** Compares two texts line by line; equal texts give an empty list, an absent text has no lines. */
export const diffLines = guarded('diffLines', (from: string | undefined, to: string | undefined): DiffLine[] => {
  if (from === to) return []
  const before = from?.split('\n') ?? []
  const after = to?.split('\n') ?? []
  const lines: DiffLine[] = []
  let position = 0
  for (const [fromA, toA, fromB, toB] of editRegions(before, after)) {
    push(lines, 'context', before, position, fromA)
    push(lines, 'remove', before, fromA, toA)
    push(lines, 'add', after, fromB, toB)
    position = toA
  }
  push(lines, 'context', before, position, before.length)
  return lines
})

function push(lines: DiffLine[], type: DiffLine['type'], source: readonly string[], from: number, to: number): void {
  for (let index = from; index < to; index++) lines.push({ type, text: source[index] as string })
}
