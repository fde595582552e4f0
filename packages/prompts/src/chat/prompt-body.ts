import { isRecord, type JsonObject } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { ownSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { promptsError } from '../errors.js'
import { evaluators } from '../scoring/evaluators.js'
import { compileTemplate } from '../template/compiled-template.js'
import { TemplateError } from '../template/template-error.js'
import { assertVariableName } from '../template/variable-name.js'
import { isPlaceholder, type PromptMessage, PromptMessageSchema } from './message.js'
import { messagesText } from './message-text.js'

/** Model inputs besides the text, as extra fields of prompts and versions. */
export const BODY_FIELDS = ['messages', 'settings', 'responseSchema'] as const

/** The extra fields, as types of prompts and versions have them. */
export type BodyFields = {
  /** For a chat prompt: its messages, valid as long as `content` is their text. */
  readonly messages?: readonly PromptMessage[]
  /** Settings of the model, such as `model` and `temperature`. */
  readonly settings?: JsonObject
  /** JSON Schema of answers. */
  readonly responseSchema?: JsonObject
}

interface HasBody {
  readonly fields: { readonly content: string } & BodyFields
}

/** The messages of a chat prompt; undefined for a text prompt. */
export const messagesOf = guarded('messagesOf', messagesOfUnchecked)

function messagesOfUnchecked({ fields: { content, messages } }: HasBody): readonly PromptMessage[] | undefined {
  return isMessages(messages) && messagesText(messages) === content ? messages : undefined
}

export function isMessages(value: unknown): value is readonly PromptMessage[] {
  return Array.isArray(value) && value.length > 0 && validator().check(value)
}

/** Throws `MESSAGES_INVALID`, or `TemplateError` for a malformed message, if it cannot be sent to a model. */
export function checkBody({ messages, settings, responseSchema }: Record<string, unknown>): void {
  if (isGiven(messages)) checkMessages(messages)
  if (isGiven(settings) && !isRecord(settings)) throw invalid('The model settings must be an object of values by name.')
  if (!isGiven(responseSchema)) return
  if (!isRecord(responseSchema)) throw invalid('A response schema must be a JSON Schema, given as an object.')
  evaluators.jsonSchema(responseSchema)
}

function checkMessages(value: unknown): void {
  if (!Array.isArray(value) || value.length === 0) throw invalid('The messages of a prompt must be a non-empty list.')
  for (const [index, message] of value.entries()) {
    if (!itemValidator().check(message)) {
      throw invalid(
        `messages[${index}] must be { role, content }, with a role of system, developer, user or assistant, or { placeholder }.`,
        { index },
      )
    }
    if (isPlaceholder(message)) assertVariableName(message.placeholder)
    else checkTemplate(message.content, index)
  }
}

function checkTemplate(content: string, index: number): void {
  try {
    compileTemplate(content)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const { line, column, excerpt, details } = error
    throw promptsError(
      'TEMPLATE_INVALID',
      `Template error in messages[${index}], line ${line}, column ${column}: ${details.problem}. Near: ${excerpt}`,
      { details: { ...details, index }, cause: error },
    )
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function invalid(message: string, details = {}): Error {
  return promptsError('MESSAGES_INVALID', message, { details })
}

const itemValidator = ownSchema(PromptMessageSchema)
const validator = ownSchema(Type.Array(PromptMessageSchema))
