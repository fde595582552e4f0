import { readMessages } from './read-messages.js'
import { requestFormat } from './request-format.js'
import { asObject } from './settings.js'

/** The arguments of AI SDK functions. `model` is its id, and `schema` is JSON Schema, for `jsonSchema()`. */
export const aiSdk = requestFormat({
  format: 'ai-sdk',
  title: 'Imported from the AI SDK',
  settings: {
    model: 'model',
    temperature: 'temperature',
    topP: 'topP',
    topK: 'topK',
    maxTokens: 'maxOutputTokens',
    stop: 'stopSequences',
    seed: 'seed',
    presencePenalty: 'presencePenalty',
    frequencyPenalty: 'frequencyPenalty',
  },
  own: ['messages', 'schema', 'system', 'prompt'],
  write(messages, { responseSchema: schema }, lose) {
    for (const [index, { role }] of messages.entries()) {
      if (role === 'developer') lose(`messages[${index}]`, 'the role developer does not exist there')
    }
    return { messages: messages.filter(({ role }) => role !== 'developer'), ...(schema && { schema }) }
  },
  read({ system, prompt, messages = [], schema }, lose) {
    const first = system === undefined ? [] : [{ role: 'system', content: system }]
    const said = prompt === undefined ? messages : [{ role: 'user', content: prompt }]
    const read = readMessages('ai-sdk', Array.isArray(said) ? [...first, ...said] : said, lose)
    return { messages: read, responseSchema: asObject(schema) }
  },
})
