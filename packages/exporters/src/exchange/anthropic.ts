import type { RoleMessage } from '@minions/prompts'
import type { Lose } from './portable-prompt.js'
import { asTemplate, readMessages, textOf } from './read-messages.js'
import { requestFormat } from './request-format.js'

/** The body of a request to Anthropic's messages. System messages are separate there. */
export const anthropic = requestFormat({
  format: 'anthropic',
  title: 'Imported from Anthropic',
  settings: {
    model: 'model',
    temperature: 'temperature',
    topP: 'top_p',
    topK: 'top_k',
    maxTokens: 'max_tokens',
    stop: 'stop_sequences',
  },
  own: ['messages', 'system'],
  write(messages, { responseSchema }, lose) {
    const first = messages.findIndex(({ role }) => role !== 'system')
    const leading = first === -1 ? messages : messages.slice(0, first)
    const rest = messages.slice(leading.length)
    const isKnown = ({ role }: { role: string }) => role === 'user' || role === 'assistant'
    for (const [index, message] of rest.entries()) {
      if (isKnown(message)) continue
      lose(`messages[${leading.length + index}]`, `the role ${message.role} does not exist there`)
    }
    if (responseSchema) lose('responseSchema', 'there is no field for it')
    return {
      ...(leading.length === 1 && { system: leading[0]?.content ?? '' }),
      ...(leading.length > 1 && { system: leading.map(({ content }) => ({ type: 'text', text: content })) }),
      messages: rest.filter(isKnown),
    }
  },
  read({ system, messages }, lose) {
    const leading = systemOf(system, lose)
    const isSystemAlone = Array.isArray(messages) && messages.length === 0 && leading.length > 0
    return { messages: [...leading, ...(isSystemAlone ? [] : readMessages('anthropic', messages, lose))] }
  },
})

function systemOf(system: unknown, lose: Lose): RoleMessage[] {
  if (system === undefined) return []
  const texts = Array.isArray(system)
    ? system.map((piece) => textOf([piece], 'system', lose))
    : [textOf(system, 'system', lose)]
  return texts.map((text) => ({ role: 'system', content: asTemplate(text, 'system', lose) }))
}
