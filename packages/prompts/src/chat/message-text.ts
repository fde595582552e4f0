import { guarded } from '@minions/core/plugin'
import { promptsError } from '../errors.js'
import { isPlaceholder, MESSAGE_ROLES, type PromptMessage } from './message.js'

/** A line that begins a message: `[user]`, or `[messages]` where messages are inserted. */
const HEADER = new RegExp(`^\\[(${MESSAGE_ROLES.join('|')}|messages)\\]$`)
/** A line that could be mistaken for one, or for an escaped one. */
const LIKE_HEADER = new RegExp(`^\\\\*\\[(${MESSAGE_ROLES.join('|')}|messages)\\]$`)
const INSERTED = /^(?:\{\{([a-zA-Z_]\w*)\}\}|\{\{#if ([a-zA-Z_]\w*)\}\}\{\{\2\}\}\{\{\/if\}\})$/

/**
 * Messages as one template, stored in `content` of a chat prompt: each below a line with its role. Programs without
 * support for messages read, search and render it like any other prompt.
 */
export const messagesText = guarded('messagesText', (messages: readonly PromptMessage[]): string => {
  return messages.map(blockOf).join('\n\n')
})

/** The exact inverse of `messagesText`. Throws `MESSAGES_INVALID` with the line. */
export const parseMessages = guarded('parseMessages', (text: string): PromptMessage[] => {
  const lines = text.split('\n')
  const messages: PromptMessage[] = []
  let start = 0
  while (start < lines.length) {
    const kind = HEADER.exec(lines[start] as string)?.[1]
    if (kind === undefined)
      throw notMessages(start, `"${(lines[start] as string).slice(0, 40)}" comes before the first message`)
    let end = start + 1
    while (end < lines.length && !HEADER.test(lines[end] as string)) end++
    // A blank line separates a message from the next.
    const isLast = end === lines.length
    if (!isLast && (lines[end - 1] !== '' || end - 1 === start))
      throw notMessages(end, 'it must be preceded by a blank line')
    const body = lines.slice(start + 1, isLast ? end : end - 1)
    if (body.length === 0) throw notMessages(start, 'its content is missing; leave a blank line for an empty one')
    messages.push(messageOf(kind, body, start))
    start = end
  }
  return messages
})

function blockOf(message: PromptMessage): string {
  if (!isPlaceholder(message)) return `[${message.role}]\n${message.content.split('\n').map(escaped).join('\n')}`
  const tag = `{{${message.placeholder}}}`
  return `[messages]\n${message.optional ? `{{#if ${message.placeholder}}}${tag}{{/if}}` : tag}`
}

function messageOf(kind: string, body: readonly string[], line: number): PromptMessage {
  if (kind !== 'messages') {
    return { role: kind as (typeof MESSAGE_ROLES)[number], content: body.map(unescaped).join('\n') }
  }
  const [, required, optional] = INSERTED.exec(body.join('\n').trim()) ?? []
  if (required !== undefined) return { placeholder: required }
  if (optional !== undefined) return { placeholder: optional, optional: true }
  throw notMessages(line, '[messages] must be followed by one variable, such as {{history}}')
}

const escaped = (line: string): string => (LIKE_HEADER.test(line) ? `\\${line}` : line)

const unescaped = (line: string): string => (line.startsWith('\\') && LIKE_HEADER.test(line) ? line.slice(1) : line)

function notMessages(index: number, problem: string): Error {
  return promptsError('MESSAGES_INVALID', `Line ${index + 1} of the messages cannot be read: ${problem}.`, {
    details: { line: index + 1 },
  })
}
