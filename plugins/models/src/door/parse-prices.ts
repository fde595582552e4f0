import { getOwn, isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { compileSchema } from '@minions/core/schema'
import { modelsError } from '../errors.js'
import { MILLION, type Price, PriceSchema } from './prices.js'

const price = compileSchema(PriceSchema)

/** Explains the published table in the place of its first entry. */
const SPECIMEN = 'sample_spec'

/**
 * A table of prices from a JSON text: either as `models({ prices })` takes it, or in the form of the table that LiteLLM
 * publishes, with the costs of single tokens. Entries of the latter without a token price are skipped. Throws
 * `PRICES_INVALID`.
 */
export const parsePrices = guarded('parsePrices', parsePricesUnchecked, { anyLength: true })

function parsePricesUnchecked(json: string): Record<string, Price> {
  let table: unknown
  try {
    table = JSON.parse(json)
  } catch (cause) {
    throw modelsError('PRICES_INVALID', 'The table of prices is not JSON.', { cause })
  }
  if (!isRecord(table)) throw modelsError('PRICES_INVALID', 'The table of prices is not a JSON object.')
  const prices: [string, Price][] = []
  for (const [model, entry] of Object.entries(table)) {
    if (model === SPECIMEN) continue
    const found = isPublished(entry) ? publishedPrice(entry) : entry
    if (found === undefined) continue
    if (!price.check(found)) {
      const message = `The table of prices cannot be used: "${model.slice(0, 100)}" must have \`input\` and \`output\`: non-negative prices per million tokens.`
      throw modelsError('PRICES_INVALID', message, { details: { model: model.slice(0, 100) } })
    }
    prices.push([model, found as Price])
  }
  return Object.fromEntries(prices)
}

/** An entry of the published table: it says what kind of model it is about, or has a cost of single tokens. */
function isPublished(entry: unknown): entry is Record<string, unknown> {
  return (
    isRecord(entry) && ['mode', 'litellm_provider', 'input_cost_per_token'].some((key) => Object.hasOwn(entry, key))
  )
}

function publishedPrice(entry: Record<string, unknown>): Price | undefined {
  const input = perMillion(getOwn(entry, 'input_cost_per_token'))
  const output = perMillion(getOwn(entry, 'output_cost_per_token'))
  const cachedInput = perMillion(getOwn(entry, 'cache_read_input_token_cost'))
  if (input === undefined) return undefined
  // Models for embeddings have no output.
  return { input, output: output ?? 0, ...(cachedInput !== undefined && { cachedInput }) }
}

function perMillion(cost: unknown): number | undefined {
  if (typeof cost !== 'number' || !(cost >= 0)) return undefined
  // The costs are small decimal fractions; without this 2.5e-6 would be 2.4999999999999996 a million.
  return Number((cost * MILLION).toPrecision(12))
}
