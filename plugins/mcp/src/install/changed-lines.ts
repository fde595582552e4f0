import { guarded } from '@minions/core/plugin'

/** The differing lines of two texts, prefixed with `-` and `+`, without their common beginning and end. */
export const changedLines = guarded('changedLines', (before: string, after: string): string[] => {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
  ]
})
