import type { JsonObject } from '@minions/core/json'
import type { ExchangeFormat } from './exchange-format.js'
import { besideTheMessages, spoken } from './portable-prompt.js'
import { documentOf, readMessages } from './read-messages.js'
import { asObject, readSettings, settingsOf, writeSettings } from './settings.js'

const NAMES = {
  model: 'model',
  temperature: 'temperature',
  topP: 'topP',
  topK: 'topK',
  maxTokens: 'maxOutputTokens',
  stop: 'stopSequences',
  seed: 'seed',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
}

/** The arguments of AI SDK functions. `model` is its id, and `schema` is JSON Schema, for `jsonSchema()`. */
export const aiSdk: ExchangeFormat<JsonObject> = {
  format: 'ai-sdk',
  rendersVariables: true,
  write(prompt) {
    const { messages, lost } = spoken('ai-sdk', prompt)
    for (const [index, { role }] of messages.entries()) {
      if (role === 'developer')
        lost.push({ part: `messages[${index}]`, why: 'the role developer does not exist there', breaking: true })
    }
    const settings = writeSettings(prompt.settings, NAMES)
    return {
      document: {
        ...settings.values,
        messages: messages.filter(({ role }) => role !== 'developer'),
        ...(prompt.responseSchema && { schema: prompt.responseSchema }),
      },
      lost: [...lost, ...settings.lost, ...besideTheMessages(prompt)],
    }
  },
  read(document) {
    const { system, prompt, ...body } = documentOf('ai-sdk', document) as JsonObject
    const first = system === undefined ? [] : [{ role: 'system', content: system }]
    const said = prompt === undefined ? (body.messages ?? []) : [{ role: 'user', content: prompt }]
    const { messages, lost } = readMessages('ai-sdk', Array.isArray(said) ? [...first, ...said] : said)
    const { settings, lost: unknown } = readSettings(body, NAMES, ['messages', 'schema'])
    const schema = asObject(body.schema)
    return {
      prompt: {
        title: 'Imported from the AI SDK',
        messages,
        ...settingsOf(settings),
        ...(schema && { responseSchema: schema }),
      },
      lost: [...lost, ...unknown],
    }
  },
}
