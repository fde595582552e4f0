import { guarded } from '@minions/core/plugin'

/** The lines in which two texts differ, with `-` and `+` before them, between what they have in common at both ends. */
export const changedLines = guarded('changedLines', changedLinesUnchecked)

function changedLinesUnchecked(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
  ]
}
