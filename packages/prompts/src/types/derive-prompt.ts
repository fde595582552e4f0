import type { Minion } from '@minions/core'
import { jsonEqual } from '@minions/core/json'
import { messagesText } from '../chat/message-text.js'
import { isMessages } from '../chat/prompt-body.js'
import { compileTemplate } from '../template/compiled-template.js'
import { TemplateError } from '../template/template-error.js'

/** Fields of prompts and versions that are also attributes of every minion. */
const MIRRORED = ['description', 'tags'] as const

/**
 * Completes a prompt or version: its content is the text of its messages, if it has some, `variables` are those of its
 * content, and its description and tags are the same as field and as attribute. The field takes precedence, unless a
 * write sets only the attribute.
 */
export function derivePrompt(minion: Minion, before: Minion | undefined): Minion {
  const fields: Minion['fields'] = { ...minion.fields }
  const complete: Minion = { ...minion, fields }
  deriveContent(fields, before)
  setOrRemove(fields, 'variables', variablesIn(fields.content) ?? fields.variables)
  for (const name of MIRRORED) {
    const value = mirrored(name, minion, before)
    setOrRemove(fields, name, value)
    setOrRemove(complete, name, value)
  }
  return jsonEqual(complete, minion) ? minion : complete
}

/** A write that sets only the content turns a chat prompt into a text prompt. */
function deriveContent(fields: Minion['fields'], before: Minion | undefined): void {
  const { messages } = fields
  if (!isMessages(messages)) return
  const isTextNow =
    before && jsonEqual(before.fields.messages, messages) && !jsonEqual(before.fields.content, fields.content)
  if (isTextNow) setOrRemove(fields, 'messages', undefined)
  else fields.content = messagesText(messages)
}

function mirrored(name: (typeof MIRRORED)[number], minion: Minion, before: Minion | undefined): unknown {
  const field = minion.fields[name]
  const attribute = minion[name]
  if (!before) return field ?? attribute
  if (!jsonEqual(field, before.fields[name])) return field
  return jsonEqual(attribute, before[name]) ? (field ?? attribute) : attribute
}

/** Undefined for malformed stored content; writes of malformed content are refused elsewhere. */
function variablesIn(content: unknown): readonly string[] | undefined {
  try {
    return typeof content === 'string' ? [...compileTemplate(content).variables] : undefined
  } catch (error) {
    if (error instanceof TemplateError) return undefined
    throw error
  }
}

/** Sets a property, or removes it when there is no value. */
export function setOrRemove(target: object, name: string, value: unknown): void {
  if (value === undefined) Reflect.deleteProperty(target, name)
  else Reflect.set(target, name, value)
}
