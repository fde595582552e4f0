import { type JsonObject, setOwn } from '@minions/core/json'
import {
  isPlaceholder,
  MESSAGE_ROLES,
  type PromptMessage,
  type RoleMessage,
  type VariableInput,
} from '@minions/prompts'
import type { ExchangeFormat } from './exchange-format.js'
import { readFrontMatter, writeFrontMatter } from './front-matter.js'
import { plainTemplate } from './plain-template.js'
import { defined, type Lose, type PortablePrompt } from './portable-prompt.js'
import { asTemplate, invalid } from './read-messages.js'
import { asObject, settingsOf } from './settings.js'

/** Words with a special meaning in a Dotprompt template. */
const RESERVED = 'role history section media json unless with log lookup if each ifEquals unlessEquals'.split(' ')
const ROLE = /\{\{role "(\w+)"\}\}/g

/**
 * A file of Dotprompt: front matter and a Handlebars template. Properties that Dotprompt lacks are stored under
 * `minions`.
 */
export const dotprompt: ExchangeFormat<string> = {
  format: 'dotprompt',
  write(prompt, lose) {
    const { model, ...config } = prompt.settings ?? {}
    const { title, description, tags, variables, tests } = prompt
    const input = inputOf(prompt.variables ?? [])
    const data = defined({
      name: prompt.name,
      model,
      config: Object.keys(config).length > 0 ? config : undefined,
      input,
      output: prompt.responseSchema && { format: 'json', schema: prompt.responseSchema },
      minions: defined({ title, description, tags, variables, tests }),
    })
    return writeFrontMatter({ data, body: bodyOf(prompt, lose) })
  },
  read(document, lose) {
    const { data, body } = readFrontMatter('dotprompt', document)
    const { name, model, config, input: _input, output, minions, ...rest } = data
    for (const part of Object.keys(rest)) lose(part, 'a prompt has no such property')
    const own = asObject(minions) ?? {}
    const schema = asObject(asObject(output)?.schema)
    const settings = { ...(model !== undefined && { model }), ...asObject(config) }
    const title =
      typeof own.title === 'string' ? own.title : typeof name === 'string' ? name : 'Imported from Dotprompt'
    return {
      ...readBody(body, lose),
      title,
      ...defined({
        name: typeof name === 'string' ? name : undefined,
        description: own.description,
        tags: own.tags,
        variables: own.variables,
        tests: own.tests,
      }),
      ...settingsOf(settings as JsonObject),
      ...(schema && { responseSchema: schema }),
    } as PortablePrompt
  },
}

function bodyOf(prompt: PortablePrompt, lose: Lose): string {
  const write = (content: string, part: string) =>
    plainTemplate(content, part, lose, {
      placeholder: (name) => {
        if (RESERVED.includes(name)) lose(`${part}.${name}`, 'the name has a special meaning there')
        return `{{${name}}}`
      },
      text: (text, beforeTag, afterTag) => {
        if ((afterTag && text.startsWith('}')) || /\\\{\{/.test(text) || (beforeTag && /(?:\\\\|\{)$/.test(text))) {
          lose(part, 'backslashes and braces together have a special meaning there')
        }
        const literal = text.replaceAll('{{', '\\{{')
        return beforeTag ? literal.replace(/\\$/, '\\\\') : literal
      },
    })
  if (!prompt.messages) return write(prompt.content, 'content')
  return prompt.messages
    .map((message, index) => {
      if (!isPlaceholder(message)) return `{{role "${message.role}"}}${write(message.content, `messages[${index}]`)}`
      if (message.placeholder !== 'history' || prompt.messages?.findIndex(isPlaceholder) !== index) {
        lose(`messages.${message.placeholder}`, 'only history can be inserted there, and once')
      }
      if (!message.optional) lose(`messages.${message.placeholder}`, 'it may be missing there', false)
      return '{{history}}'
    })
    .join('')
}

function readBody(body: string, lose: Lose): { content: string } | { messages: PromptMessage[] } {
  const parts = body.split(ROLE)
  const [before = ''] = parts
  if (parts.length === 1 && !body.includes('{{history}}')) return { content: asTemplate(body, 'content', lose) }
  const messages: PromptMessage[] = []
  const add = (role: string, text: string) => {
    if (!MESSAGE_ROLES.includes(role as RoleMessage['role']))
      throw invalid('dotprompt', `the role ${role} does not exist in a prompt`)
    const [content = '', ...rest] = text.split('{{history}}')
    messages.push({
      role: role as RoleMessage['role'],
      content: asTemplate(content, `messages[${messages.length}]`, lose),
    })
    for (const more of rest) {
      messages.push({ placeholder: 'history', optional: true })
      if (more !== '') messages.push({ role: 'user', content: asTemplate(more, `messages[${messages.length}]`, lose) })
    }
  }
  if (before.startsWith('{{history}}')) messages.push({ placeholder: 'history', optional: true })
  const opening = before.replace(/^\{\{history\}\}/, '')
  if (opening.trim() !== '') add('user', opening)
  for (let index = 1; index < parts.length; index += 2) add(parts[index] as string, parts[index + 1] as string)
  return { messages }
}

function inputOf(variables: readonly VariableInput[]): JsonObject | undefined {
  if (variables.length === 0) return undefined
  const properties: JsonObject = {}
  const defaults: JsonObject = {}
  for (const { name, variableType = 'string', description, defaultValue } of variables) {
    setOwn(properties, name, defined({ type: variableType, description }) as JsonObject)
    if (defaultValue === undefined || defaultValue === null) continue
    const value =
      variableType === 'string' || typeof defaultValue !== 'string' ? defaultValue : JSON.parse(defaultValue)
    setOwn(defaults, name, value)
  }
  const required = variables.filter((one) => one.required ?? one.defaultValue === undefined).map(({ name }) => name)
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return { schema, ...(Object.keys(defaults).length > 0 && { default: defaults }) }
}
