import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import type { ModelUsage } from '@minions/core/plugin'

/** Approximate number of characters per token, for providers that do not report usage. */
const CHARACTERS_PER_TOKEN = 4

/** Tokens of a call, including cached ones. */
export interface TokenCounts extends ModelUsage {
  readonly cachedTokens: number
}

/** What calls to one model for one role have used since the app was opened. */
export interface UsageTotal {
  readonly model: string
  readonly role: string
  readonly calls: number
  readonly failures: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Undefined if the price of the model is unknown. */
  readonly cost?: number
}

/** Reads the usage that a provider reported; missing numbers are estimated from the length of the texts. */
export function tokensOf(usage: LanguageModelV4Usage | undefined, input: number, output: number): TokenCounts {
  const [given, answered] = [count(usage?.inputTokens?.total), count(usage?.outputTokens?.total)]
  const inputTokens = given ?? estimateTokens(input)
  const outputTokens = answered ?? estimateTokens(output)
  const estimated = given === undefined || answered === undefined
  const cachedTokens = count(usage?.inputTokens?.cacheRead) ?? 0
  const totalTokens = inputTokens + outputTokens
  return { inputTokens, outputTokens, totalTokens, cachedTokens, ...(estimated && { estimated }) }
}

export function estimateTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN)
}

function count(value: number | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined
}

export class UsageLedger {
  readonly #totals = new Map<string, UsageTotal>()

  add(model: string, role: string, used: (ModelUsage & { readonly cost?: number | undefined }) | undefined): void {
    const key = JSON.stringify([model, role])
    const total = this.#totals.get(key) ?? { model, role, calls: 0, failures: 0, inputTokens: 0, outputTokens: 0 }
    if (used === undefined) {
      this.#totals.set(key, { ...total, failures: total.failures + 1 })
      return
    }
    const { inputTokens, outputTokens, cost } = used
    this.#totals.set(key, {
      ...total,
      calls: total.calls + 1,
      inputTokens: total.inputTokens + inputTokens,
      outputTokens: total.outputTokens + outputTokens,
      ...(cost !== undefined && { cost: (total.cost ?? 0) + cost }),
    })
  }

  totals(): UsageTotal[] {
    return [...this.#totals.values()]
  }
}
