import type { JsonObject } from '@minions/core/json'
import type { ExchangeFormat } from './exchange-format.js'
import { besideTheMessages, spoken } from './portable-prompt.js'
import { documentOf, readMessages } from './read-messages.js'
import { asObject, readSettings, settingsOf, writeSettings } from './settings.js'

const NAMES = {
  model: 'model',
  temperature: 'temperature',
  topP: 'top_p',
  maxTokens: 'max_completion_tokens',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
}

/** The body of a request to OpenAI's chat completions. */
export const openai: ExchangeFormat<JsonObject> = {
  format: 'openai',
  rendersVariables: true,
  write(prompt) {
    const { messages, lost } = spoken('openai', prompt)
    const settings = writeSettings(prompt.settings, NAMES)
    const schema = prompt.responseSchema
    const format = schema && {
      response_format: { type: 'json_schema', json_schema: { name: 'response', schema, strict: false } },
    }
    return {
      document: { ...settings.values, messages, ...format },
      lost: [...lost, ...settings.lost, ...besideTheMessages(prompt)],
    }
  },
  read(document) {
    const body = documentOf('openai', document) as JsonObject
    const { messages, lost } = readMessages('openai', body.messages)
    const { settings, lost: unknown } = readSettings(body, NAMES, ['messages', 'response_format'])
    const described = asObject(asObject(body.response_format)?.json_schema)
    const schema = asObject(described?.schema)
    if (body.response_format !== undefined && !schema) {
      lost.push({ part: 'response_format', why: 'only a JSON Schema can be kept', breaking: true })
    }
    if (described?.strict === true)
      lost.push({ part: 'response_format.strict', why: 'a prompt does not have it', breaking: false })
    return {
      prompt: {
        title: 'Imported from OpenAI',
        messages,
        ...settingsOf(settings),
        ...(schema && { responseSchema: schema }),
      },
      lost: [...lost, ...unknown],
    }
  },
}
