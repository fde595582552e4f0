import { isRecord } from '@minions/core/json'
import { compileTemplate, MESSAGE_ROLES, type PromptMessage, type RoleMessage, TemplateError } from '@minions/prompts'
import { exportersError } from '../errors.js'
import type { Loss } from './portable-prompt.js'

/** Reads a foreign list of messages. Unknown roles are refused; contents that are not text are lost. */
export function readMessages(
  format: string,
  value: unknown,
  toTemplate?: (text: string, part: string) => string,
): { messages: PromptMessage[]; lost: Loss[] } {
  if (!Array.isArray(value) || value.length === 0) throw invalid(format, 'messages must be a non-empty list')
  const lost: Loss[] = []
  const messages = value.map((message, index) => {
    const { role, content } = isRecord(message) ? message : {}
    if (!MESSAGE_ROLES.includes(role as RoleMessage['role'])) {
      throw invalid(
        format,
        `messages[${index}] has the role ${JSON.stringify(role)?.slice(0, 40)}; use one of ${MESSAGE_ROLES.join(', ')}`,
      )
    }
    const extra = Object.keys(message).filter((key) => key !== 'role' && key !== 'content')
    for (const key of extra)
      lost.push({ part: `messages[${index}].${key}`, why: 'messages of prompts do not have it', breaking: true })
    const text = textOf(content, `messages[${index}]`, lost)
    return {
      role: role as RoleMessage['role'],
      content: toTemplate?.(text, `messages[${index}]`) ?? asTemplate(text, `messages[${index}]`, lost),
    }
  })
  return { messages, lost }
}

/** A string, or the strings of its parts. */
export function textOf(content: unknown, part: string, lost: Loss[]): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) {
    lost.push({ part, why: 'its content is not text', breaking: true })
    return ''
  }
  const texts = content.flatMap((piece) => (isRecord(piece) && typeof piece.text === 'string' ? [piece.text] : []))
  if (texts.length < content.length) lost.push({ part, why: 'some of its content is not text', breaking: true })
  if (texts.length > 1) lost.push({ part, why: 'its parts become one text', breaking: false })
  return texts.join('')
}

/** A text as a template: unchanged if it is valid, otherwise with literal braces. */
export function asTemplate(text: string, part: string, lost: Loss[]): string {
  try {
    compileTemplate<string>(text)
    return text
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    lost.push({ part, why: `it is not a template, and is taken literally: ${error.message}`, breaking: false })
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
