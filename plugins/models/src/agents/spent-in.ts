import { isRecord, type JsonObject } from '@minions/core/json'
import type { Spent } from './state.js'

/** The usage in the result of another agent. */
export function spentIn({ usage, cost }: JsonObject): Partial<Spent> {
  const counts = isRecord(usage) ? usage : {}
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    inputTokens: number(counts.inputTokens),
    outputTokens: number(counts.outputTokens),
    totalTokens: number(counts.totalTokens),
    cost: number(cost),
    estimated: counts.estimated === true,
  }
}
