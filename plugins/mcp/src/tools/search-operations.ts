import type { Operation } from '@minions/core/operations'

/** Maximum number of operations in one answer. */
const MOST = 20

/** Operations whose names and texts hold the words, the best first: a word in the name counts most. */
export function searchOperations(operations: readonly Operation[], query: string): Operation[] {
  const words = query.toLowerCase().match(/[a-z0-9]+/g) ?? []
  if (words.length === 0) return operations.slice(0, MOST)
  const scored = operations.map((operation) => ({ operation, score: scoreOf(operation, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.operation.name < b.operation.name ? -1 : 1))
    .slice(0, MOST)
    .map(({ operation }) => operation)
}

function scoreOf({ name, summary, description = '' }: Operation, words: readonly string[]): number {
  const [title, line, text] = [name, summary, description].map((each) => each.toLowerCase())
  const scores = words.map((word) => {
    if (title?.split('.').includes(word)) return 8
    if (title?.includes(word)) return 4
    if (line?.includes(word)) return 2
    return text?.includes(word) ? 1 : 0
  })
  return scores.reduce<number>((sum, score) => sum + score, 0)
}
