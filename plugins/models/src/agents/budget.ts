import type { AgentBudget } from './definition.js'
import type { AgentFinish, LoopState } from './state.js'

/** Number of identical calls in a row after which an agent is stopped. */
const MOST_REPEATS = 3

/** Larger budgets do not limit an answer, because models refuse them. */
const LONGEST_ANSWER = 4096

/** Why an agent must not call its model again; undefined if it may. */
export function stopReason(
  { steps, spent, repeated }: LoopState,
  { tokens, cost, seconds }: AgentBudget,
  maxSteps: number,
  elapsedMs: number,
): AgentFinish | undefined {
  if (tokens !== undefined && spent.totalTokens >= tokens) return 'tokens'
  if (cost !== undefined && spent.cost >= cost) return 'cost'
  if (seconds !== undefined && elapsedMs >= seconds * 1000) return 'time'
  if (repeated >= MOST_REPEATS) return 'repeated'
  return steps >= maxSteps ? 'steps' : undefined
}

/** Maximum number of tokens of the next answer, so that the budget is not exceeded by much. */
export function answerLimit({ spent }: LoopState, budget: AgentBudget, own: number | undefined): number | undefined {
  const rest = budget.tokens === undefined ? undefined : budget.tokens - spent.totalTokens
  if (rest === undefined || rest >= LONGEST_ANSWER) return own
  return Math.min(rest, own ?? rest)
}
