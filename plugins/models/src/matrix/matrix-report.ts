import { getOrInsert } from '@minions/core/json'
import type { PromptReference } from '@minions/prompts'

/** One test of one prompt, answered once by one model. */
export interface MatrixCell {
  /** Position of the prompt in the options. */
  readonly row: number
  readonly role: string
  readonly model: string
  readonly repeat: number
  readonly resultId: string
  readonly passed: boolean
  readonly scores: Readonly<Record<string, number>>
  readonly output: string
  readonly tokens: number
  readonly cost: number
  /** True if the answer was cached by an earlier run. */
  readonly cached: boolean
}

/** The results of one prompt with one model. */
export interface MatrixSummary {
  readonly prompt: PromptReference
  readonly role: string
  readonly model: string
  readonly passed: number
  readonly total: number
  /** Means by dimension. */
  readonly scores: Readonly<Record<string, number>>
  /** Tokens and cost of the answers, including cached ones. */
  readonly tokens: number
  readonly cost: number
  /** Calls that this run made. */
  readonly calls: number
}

export interface MatrixReport {
  readonly cells: readonly MatrixCell[]
  readonly summary: readonly MatrixSummary[]
  readonly calls: number
}

export function summarize(cells: readonly MatrixCell[], prompts: readonly PromptReference[]): MatrixReport {
  const groups = new Map<string, MatrixCell[]>()
  for (const cell of cells) {
    getOrInsert(groups, JSON.stringify([cell.row, cell.role]), () => []).push(cell)
  }
  const summary = [...groups.values()].map((group): MatrixSummary => {
    const [{ row, role, model }] = group as [MatrixCell]
    return {
      prompt: prompts[row] as PromptReference,
      role,
      model,
      passed: group.filter(({ passed }) => passed).length,
      total: group.length,
      scores: means(group),
      tokens: sum(group, ({ tokens }) => tokens),
      cost: sum(group, ({ cost }) => cost),
      calls: group.filter(({ cached }) => !cached).length,
    }
  })
  return { cells, summary, calls: cells.filter(({ cached }) => !cached).length }
}

function means(cells: readonly MatrixCell[]): Readonly<Record<string, number>> {
  const dimensions = new Set(cells.flatMap(({ scores }) => Object.keys(scores)))
  return Object.fromEntries(
    [...dimensions].map((dimension) => {
      const scored = cells.flatMap(({ scores }) => scores[dimension] ?? [])
      return [dimension, scored.reduce((total, score) => total + score, 0) / scored.length]
    }),
  )
}

function sum(cells: readonly MatrixCell[], of: (cell: MatrixCell) => number): number {
  return cells.reduce((total, cell) => total + of(cell), 0)
}
