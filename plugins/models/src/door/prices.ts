import { strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import type { TokenCounts } from './usage.js'

/** Price of a model per million tokens. */
export const PriceSchema = strictObject({
  input: Type.Number({ minimum: 0 }),
  output: Type.Number({ minimum: 0 }),
  cachedInput: Type.Optional(Type.Number({ minimum: 0, description: 'Input that the provider had cached; as input.' })),
})

export type Price = Static<typeof PriceSchema>

/** Prices by `provider/model`, by model, or by a prefix of either and `*`; or a function. */
export type Prices = Readonly<Record<string, Price>> | ((model: string) => Price | undefined)

export const MILLION = 1_000_000

/** Finds the price of a model: the exact name first, then the longest prefix. */
export function priceOf(prices: Prices, model: string): Price | undefined {
  if (typeof prices === 'function') return prices(model)
  const names = [model, model.slice(model.indexOf('/') + 1)]
  for (const name of names) if (Object.hasOwn(prices, name)) return prices[name]
  const fits = Object.keys(prices).filter(
    (key) => key.endsWith('*') && names.some((name) => name.startsWith(key.slice(0, -1))),
  )
  const longest = fits.sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? undefined : prices[longest]
}

export function costOf(price: Price, { inputTokens, outputTokens, cachedTokens }: TokenCounts): number {
  const cached = Math.min(cachedTokens, inputTokens)
  const input = (inputTokens - cached) * price.input + cached * (price.cachedInput ?? price.input)
  return (input + outputTokens * price.output) / MILLION
}
