import type { JsonValue } from '@minions/core/json'
import type { ModelMessage } from '@minions/core/plugin'

/** The reply of a model, as text or as the structured answer itself, and its cost. */
export interface Reply {
  readonly value: JsonValue
  readonly tokens: number
}

/** Approximate number of characters per token, for models that do not report usage. */
const CHARACTERS_PER_TOKEN = 4

/** Reads a whole reply: a text, `{ text, usage }`, a stream of either, or an object that is the answer itself. */
export async function readReply(output: unknown, messages: readonly ModelMessage[]): Promise<Reply> {
  if (typeof output === 'string') return reply(output, undefined, messages)
  // A missing answer is an invalid one, and the model is told so.
  if (typeof output !== 'object' || output === null) return reply(null, undefined, messages)
  if (Symbol.asyncIterator in output) {
    let text = ''
    let usage: unknown
    for await (const part of output as AsyncIterable<unknown>) {
      if (typeof part === 'string') text += part
      else if (typeof part === 'object' && part !== null) {
        text += textOf(part) ?? ''
        usage = (part as { readonly usage?: unknown }).usage ?? usage
      }
    }
    return reply(text, usage, messages)
  }
  const { usage } = output as { readonly usage?: unknown }
  return reply(textOf(output) ?? (output as JsonValue), usage, messages)
}

function textOf(part: object): string | undefined {
  const { text, content } = part as { readonly text?: unknown; readonly content?: unknown }
  if (typeof text === 'string') return text
  return typeof content === 'string' ? content : undefined
}

function reply(output: JsonValue, usage: unknown, messages: readonly ModelMessage[]): Reply {
  // A truncated text may end in half a character, which no store can keep.
  const value = typeof output === 'string' ? output.toWellFormed().replaceAll('\0', '\uFFFD') : output
  const said = typeof value === 'string' ? value : JSON.stringify(value)
  const characters = messages.reduce((sum, { content }) => sum + content.length, said.length)
  return { value, tokens: tokensOf(usage) ?? Math.ceil(characters / CHARACTERS_PER_TOKEN) }
}

/** The total if the model reports it, otherwise the sum of its counts. */
function tokensOf(usage: unknown): number | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const counts = usage as Record<string, unknown>
  const number = (key: string) =>
    Object.hasOwn(counts, key) && typeof counts[key] === 'number' ? counts[key] : undefined
  const total = number('total_tokens') ?? number('totalTokens')
  if (total !== undefined) return total
  const parts = ['prompt_tokens', 'completion_tokens', 'input_tokens', 'output_tokens', 'inputTokens', 'outputTokens']
  const known = parts.map(number).filter((each) => each !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0)
}
