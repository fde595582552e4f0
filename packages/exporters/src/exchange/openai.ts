import { readMessages } from './read-messages.js'
import { requestFormat } from './request-format.js'
import { asObject } from './settings.js'

/** The body of a request to OpenAI's chat completions. */
export const openai = requestFormat({
  format: 'openai',
  title: 'Imported from OpenAI',
  settings: {
    model: 'model',
    temperature: 'temperature',
    topP: 'top_p',
    maxTokens: 'max_completion_tokens',
    stop: 'stop',
    seed: 'seed',
    presencePenalty: 'presence_penalty',
    frequencyPenalty: 'frequency_penalty',
  },
  own: ['messages', 'response_format'],
  write(messages, { responseSchema: schema }) {
    const format = schema && { type: 'json_schema', json_schema: { name: 'response', schema, strict: false } }
    return { messages, ...(format && { response_format: format }) }
  },
  read({ messages, response_format }, lose) {
    const read = readMessages('openai', messages, lose)
    const described = asObject(asObject(response_format)?.json_schema)
    const schema = asObject(described?.schema)
    if (response_format !== undefined && !schema) lose('response_format', 'only a JSON Schema can be kept')
    if (described?.strict === true) lose('response_format.strict', 'a prompt does not have it', false)
    return { messages: read, responseSchema: schema }
  },
})
