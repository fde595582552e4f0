import { isRecord } from '@minions/core/json'
import { compileTemplate, type RenderOptions } from '../template/compiled-template.js'
import { missingVariablesError, RendererError } from '../template/renderer-error.js'
import { ownProperty } from '../template/scope.js'
import { isPlaceholder, type MessagePlaceholder, type PromptMessage, type RenderedMessage } from './message.js'

type Values = Readonly<Record<string, unknown>>

/**
 * Renders messages. One error names every missing variable in any of them. With `strict: false`, inserted messages
 * without a value are left out.
 */
export function renderMessages(
  messages: readonly PromptMessage[],
  values: Values,
  options: RenderOptions,
): RenderedMessage[] {
  const missing = new Set<string>()
  const rendered = messages.flatMap((message): readonly RenderedMessage[] => {
    if (isPlaceholder(message)) return inserted(message, values, options, missing)
    try {
      return [{ role: message.role, content: compileTemplate<string>(message.content).render(values, options) }]
    } catch (error) {
      if (!(error instanceof RendererError) || error.missingVariables.length === 0) throw error
      for (const name of error.missingVariables) missing.add(name)
      return []
    }
  })
  if (missing.size > 0) throw missingVariablesError(missing)
  return rendered
}

function inserted(
  { placeholder, optional = false }: MessagePlaceholder,
  values: Values,
  { strict = true }: RenderOptions,
  missing: Set<string>,
): readonly RenderedMessage[] {
  const value = ownProperty(values, placeholder) ?? undefined
  if (value === undefined) {
    if (strict && !optional) missing.add(placeholder)
    return []
  }
  if (Array.isArray(value) && value.every(isMessage)) return value
  throw new RendererError(
    'VARIABLE_INVALID',
    `The variable "${placeholder}" must be a list of messages, each an object with \`role\` and \`content\`.`,
  )
}

function isMessage(value: unknown): value is RenderedMessage {
  return isRecord(value) && typeof value.role === 'string' && 'content' in value
}
