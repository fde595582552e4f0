import { isRecord, type JsonObject } from '@minions/core/json'
import { compileTemplate, isPlaceholder, isPromptName, type PromptMessage } from '@minions/prompts'
import { toMustache } from '../langchain/to-mustache.js'
import type { DeclaredTypes } from '../prompt-content.js'
import type { ExchangeFormat } from './exchange-format.js'
import { readPlain } from './plain-template.js'
import { defined, type Lose, type PortablePrompt } from './portable-prompt.js'
import { documentOf, invalid, readMessages } from './read-messages.js'
import { asObject, settingsOf } from './settings.js'

/** A prompt as Langfuse stores it. */
export interface LangfusePrompt extends JsonObject {
  readonly name: string
  readonly type: 'text' | 'chat'
  readonly prompt: string | JsonObject[]
  readonly config: JsonObject
  readonly tags: string[]
  readonly labels: string[]
}

/** Prompts of Langfuse. Settings and response schema are its config; templates are mustache. */
export const langfuse: ExchangeFormat<LangfusePrompt> = {
  format: 'langfuse',
  write(prompt, lose) {
    const types: DeclaredTypes = new Map(
      prompt.variables?.map(({ name, variableType = 'string' }) => [name, variableType]),
    )
    const mustache = (content: string) => toMustache(compileTemplate<string>(content).nodes, types, 'Langfuse')
    noteLost(prompt, lose)
    const { responseSchema, settings = {} } = prompt
    return {
      name: prompt.name ?? prompt.title,
      type: prompt.messages ? 'chat' : 'text',
      prompt: prompt.messages
        ? prompt.messages.map((message) =>
            isPlaceholder(message)
              ? { type: 'placeholder', name: message.placeholder }
              : { role: message.role, content: mustache(message.content) },
          )
        : mustache(prompt.content),
      config: { ...settings, ...(responseSchema && { responseSchema }) },
      tags: [...(prompt.tags ?? [])],
      labels: [],
    }
  },
  read(document, lose) {
    const body = documentOf('langfuse', document)
    const { name, type, prompt: said, config = {}, tags = [], ...others } = body
    if (typeof name !== 'string' || name === '') throw invalid('langfuse', 'it has no name')
    if (!isRecord(config)) throw invalid('langfuse', 'its config is not an object')
    if (!isPromptName(name)) lose('name', 'it becomes the title, and the name is derived from it', false)
    for (const [part, value] of Object.entries(others)) {
      const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
      if (!isEmpty) lose(part, 'a new prompt does not have it', false)
    }
    const isChat = type === 'chat' || Array.isArray(said)
    if (!isChat && typeof said !== 'string')
      throw invalid('langfuse', 'its prompt is neither a string nor a list of messages')
    const content = isChat
      ? { messages: chatOf(said, lose) }
      : { content: readPlain(said as string, MUSTACHE, 'prompt', lose) }
    const { responseSchema, ...settings } = config as JsonObject
    const schema = asObject(responseSchema)
    return {
      title: name,
      ...(isPromptName(name) && { name }),
      ...content,
      ...(Array.isArray(tags) && tags.length > 0 && { tags: tags.map(String) }),
      ...settingsOf(settings),
      ...(schema && { responseSchema: schema }),
    } as PortablePrompt
  },
}

function noteLost(prompt: PortablePrompt, lose: Lose): void {
  const { title, name, description, variables, tests, settings, messages = [] } = prompt
  const own = name === undefined || name === title ? undefined : title
  for (const part of Object.keys(defined({ title: own, description, variables, tests }))) {
    lose(part, 'Langfuse does not store it with a prompt', false)
  }
  for (const message of messages) {
    if (!isPlaceholder(message) || !message.optional) continue
    lose(`messages.${message.placeholder}.optional`, 'every placeholder is required there', false)
  }
  if (settings && 'responseSchema' in settings) {
    lose('settings.responseSchema', 'the response schema has this name there')
  }
}

function chatOf(said: unknown, lose: Lose): PromptMessage[] {
  if (!Array.isArray(said)) throw invalid('langfuse', 'its messages are not a list')
  return said.map((message, index) => {
    if (isRecord(message) && message.type === 'placeholder' && typeof message.name === 'string') {
      return { placeholder: message.name }
    }
    const { type: _, ...rest } = Object(message) as JsonObject
    const loseHere: Lose = (part, ...more) => lose(part.replace('[0]', `[${index}]`), ...more)
    const toTemplate = (text: string, part: string) => readPlain(text, MUSTACHE, part, loseHere)
    return readMessages('langfuse', [rest], loseHere, toTemplate)[0] as PromptMessage
  })
}

/** Literal braces are those that `toMustache` writes. */
const MUSTACHE = { literal: /\{\{=<% %>=\}\}(\{+)<%=\{\{ \}\}=%>/, statement: /\{\{/ }
