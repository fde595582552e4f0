import { isRecord } from '@minions/core/json'
import { compileTemplate, MESSAGE_ROLES, type PromptMessage, type RoleMessage, TemplateError } from '@minions/prompts'
import { exportersError } from '../errors.js'
import type { Lose } from './portable-prompt.js'

/** Reads a foreign list of messages. Unknown roles are refused; contents that are not text are lost. */
export function readMessages(
  format: string,
  value: unknown,
  lose: Lose,
  toTemplate = (text: string, part: string) => asTemplate(text, part, lose),
): PromptMessage[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(format, 'messages must be a non-empty list')
  return value.map((message, index) => {
    const { role, content } = isRecord(message) ? message : {}
    const part = `messages[${index}]`
    if (!MESSAGE_ROLES.includes(role as RoleMessage['role'])) {
      const given = JSON.stringify(role)?.slice(0, 40)
      throw invalid(format, `${part} has the role ${given}; use one of ${MESSAGE_ROLES.join(', ')}`)
    }
    const extra = Object.keys(message).filter((key) => key !== 'role' && key !== 'content')
    for (const key of extra) lose(`${part}.${key}`, 'messages of prompts do not have it')
    return { role: role as RoleMessage['role'], content: toTemplate(textOf(content, part, lose), part) }
  })
}

/** A string, or the strings of its parts. */
export function textOf(content: unknown, part: string, lose: Lose): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) {
    lose(part, 'its content is not text')
    return ''
  }
  const texts = content.flatMap((piece) => (isRecord(piece) && typeof piece.text === 'string' ? [piece.text] : []))
  if (texts.length < content.length) lose(part, 'some of its content is not text')
  if (texts.length > 1) lose(part, 'its parts become one text', false)
  return texts.join('')
}

/** A text as a template: unchanged if it is valid, otherwise with literal braces. */
export function asTemplate(text: string, part: string, lose: Lose): string {
  try {
    compileTemplate<string>(text)
    return text
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    lose(part, `it is not a template, and is taken literally: ${error.message}`, false)
    return text.replace(/(\\*)\{\{/g, '$1$1\\{{')
  }
}

export function invalid(format: string, problem: string, cause?: unknown): Error {
  return exportersError('IMPORT_INVALID', `This is not a document of the format ${format}: ${problem}.`, { cause })
}

/** An object, or JSON text of one. */
export function documentOf(format: string, document: unknown): Record<string, unknown> {
  let value = document
  if (typeof document === 'string') {
    try {
      value = JSON.parse(document)
    } catch (cause) {
      throw invalid(format, `it is not JSON: ${(cause as Error).message}`, cause)
    }
  }
  if (isRecord(value)) return value
  throw invalid(format, 'it is not an object')
}
