import type { JsonObject } from '@minions/core/json'
import type { RoleMessage } from '@minions/prompts'
import type { ExchangeFormat } from './exchange-format.js'
import { besideTheMessages, type Loss, spoken } from './portable-prompt.js'
import { asTemplate, documentOf, readMessages, textOf } from './read-messages.js'
import { readSettings, settingsOf, writeSettings } from './settings.js'

const NAMES = {
  model: 'model',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  maxTokens: 'max_tokens',
  stop: 'stop_sequences',
}

/** The body of a request to Anthropic's messages. System messages are separate there. */
export const anthropic: ExchangeFormat<JsonObject> = {
  format: 'anthropic',
  rendersVariables: true,
  write(prompt) {
    const { messages, lost } = spoken('anthropic', prompt)
    const first = messages.findIndex(({ role }) => role !== 'system')
    const leading = first === -1 ? messages : messages.slice(0, first)
    const rest = messages.slice(leading.length)
    for (const [index, { role }] of rest.entries()) {
      if (role === 'user' || role === 'assistant') continue
      lost.push({
        part: `messages[${leading.length + index}]`,
        why: `the role ${role} does not exist there`,
        breaking: true,
      })
    }
    const settings = writeSettings(prompt.settings, NAMES)
    if (prompt.responseSchema) lost.push({ part: 'responseSchema', why: 'there is no field for it', breaking: true })
    return {
      document: {
        ...settings.values,
        ...(leading.length === 1 && { system: leading[0]?.content ?? '' }),
        ...(leading.length > 1 && { system: leading.map(({ content }) => ({ type: 'text', text: content })) }),
        messages: rest.filter(({ role }) => role === 'user' || role === 'assistant'),
      },
      lost: [...lost, ...settings.lost, ...besideTheMessages(prompt)],
    }
  },
  read(document) {
    const body = documentOf('anthropic', document) as JsonObject
    const system = systemOf(body.system)
    const isSystemAlone = Array.isArray(body.messages) && body.messages.length === 0 && system.messages.length > 0
    const { messages, lost } = isSystemAlone ? { messages: [], lost: [] } : readMessages('anthropic', body.messages)
    const { settings, lost: unknown } = readSettings(body, NAMES, ['messages', 'system'])
    return {
      prompt: {
        title: 'Imported from Anthropic',
        messages: [...system.messages, ...messages],
        ...settingsOf(settings),
      },
      lost: [...system.lost, ...lost, ...unknown],
    }
  },
}

function systemOf(system: unknown): { messages: RoleMessage[]; lost: Loss[] } {
  if (system === undefined) return { messages: [], lost: [] }
  const lost: Loss[] = []
  const texts = Array.isArray(system)
    ? system.map((piece) => textOf([piece], 'system', lost))
    : [textOf(system, 'system', lost)]
  return { messages: texts.map((text) => ({ role: 'system', content: asTemplate(text, 'system', lost) })), lost }
}
