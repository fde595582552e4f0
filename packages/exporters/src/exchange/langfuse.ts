import { isRecord, type JsonObject } from '@minions/core/json'
import { compileTemplate, isPlaceholder, isPromptName, type PromptMessage } from '@minions/prompts'
import { toMustache } from '../langchain/to-mustache.js'
import type { DeclaredTypes } from '../prompt-content.js'
import type { ExchangeFormat } from './exchange-format.js'
import { readPlain } from './plain-template.js'
import { defined, type Loss, type PortablePrompt } from './portable-prompt.js'
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
  write(prompt) {
    const types: DeclaredTypes = new Map(
      prompt.variables?.map(({ name, variableType = 'string' }) => [name, variableType]),
    )
    const mustache = (content: string) => toMustache(compileTemplate<string>(content).nodes, types, 'Langfuse')
    const lost = lostIn(prompt)
    const { responseSchema, settings = {} } = prompt
    return {
      document: {
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
      },
      lost,
    }
  },
  read(document) {
    const body = documentOf('langfuse', document)
    const { name, type, prompt: said, config = {}, tags = [], ...others } = body
    if (typeof name !== 'string' || name === '') throw invalid('langfuse', 'it has no name')
    if (!isRecord(config)) throw invalid('langfuse', 'its config is not an object')
    const lost = unread(name, others)
    const isChat = type === 'chat' || Array.isArray(said)
    if (!isChat && typeof said !== 'string')
      throw invalid('langfuse', 'its prompt is neither a string nor a list of messages')
    const content = isChat
      ? { messages: chatOf(said, lost) }
      : { content: readPlain(said as string, MUSTACHE, 'prompt', lost) }
    const { responseSchema, ...settings } = config as JsonObject
    const schema = asObject(responseSchema)
    return {
      prompt: {
        title: name,
        ...(isPromptName(name) && { name }),
        ...content,
        ...(Array.isArray(tags) && tags.length > 0 && { tags: tags.map(String) }),
        ...settingsOf(settings),
        ...(schema && { responseSchema: schema }),
      } as PortablePrompt,
      lost,
    }
  },
}

/** Other properties of a document, such as its labels there. */
function unread(name: string, others: Readonly<Record<string, unknown>>): Loss[] {
  const said = Object.entries(others).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return [
    ...(isPromptName(name)
      ? []
      : [{ part: 'name', why: 'it becomes the title, and the name is derived from it', breaking: false }]),
    ...said.map(([part]) => ({ part, why: 'a new prompt does not have it', breaking: false })),
  ]
}

function lostIn({ title, name, description, variables, tests, settings, messages = [] }: PortablePrompt): Loss[] {
  const parts = defined({
    title: name === undefined || name === title ? undefined : title,
    description,
    variables,
    tests,
  })
  const optional = messages.flatMap((message) =>
    isPlaceholder(message) && message.optional ? [message.placeholder] : [],
  )
  return [
    ...Object.keys(parts).map((part) => ({ part, why: 'Langfuse does not store it with a prompt', breaking: false })),
    ...optional.map((one) => ({
      part: `messages.${one}.optional`,
      why: 'every placeholder is required there',
      breaking: false,
    })),
    ...(settings && 'responseSchema' in settings
      ? [{ part: 'settings.responseSchema', why: 'the response schema has this name there', breaking: true }]
      : []),
  ]
}

function chatOf(said: unknown, lost: Loss[]): PromptMessage[] {
  if (!Array.isArray(said)) throw invalid('langfuse', 'its messages are not a list')
  return said.map((message, index) => {
    if (isRecord(message) && message.type === 'placeholder' && typeof message.name === 'string') {
      return { placeholder: message.name }
    }
    const { type: _, ...rest } = Object(message) as JsonObject
    const read = readMessages('langfuse', [rest], (text, part) => readPlain(text, MUSTACHE, part, lost))
    lost.push(...read.lost.map((loss) => ({ ...loss, part: loss.part.replace('[0]', `[${index}]`) })))
    return read.messages[0] as PromptMessage
  })
}

/** Literal braces are those that `toMustache` writes. */
const MUSTACHE = { literal: /\{\{=<% %>=\}\}(\{+)<%=\{\{ \}\}=%>/, statement: /\{\{/ }
