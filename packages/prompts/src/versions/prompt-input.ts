import { type CreateMinionInput, coreError } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { asJsonSchema } from '@minions/core/schema'
import type { PromptMessage } from '../chat/message.js'
import { messagesText } from '../chat/message-text.js'
import { checkBody } from '../chat/prompt-body.js'
import { promptsError } from '../errors.js'
import { compileTemplate } from '../template/compiled-template.js'

interface Attributes
  extends Pick<CreateMinionInput, 'id' | 'status' | 'priority' | 'dueDate' | 'categoryId' | 'folderId'> {
  readonly description?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
  /** Settings of the model, such as `model` and `temperature`. */
  readonly settings?: JsonObject | undefined
  /** Schema of answers: JSON Schema, TypeBox, or a Standard Schema that has a JSON Schema, which is stored. */
  readonly responseSchema?: object | undefined
}

/** A text or a list of messages. */
export type PromptBody =
  | {
      /** The template. Throws `TemplateError` when it is malformed; then nothing is stored. */
      readonly content: string
      readonly messages?: undefined
    }
  | {
      /** The messages of a chat prompt. Throws `MESSAGES_INVALID` or `TemplateError`. */
      readonly messages: readonly PromptMessage[]
      readonly content?: undefined
    }

/** The input for a new prompt. */
export type PromptInput = Attributes &
  PromptBody & {
    readonly title: string
    /** A unique name. Default: derived from the title. */
    readonly name?: string | undefined
  }

/** A new version. Default title: the prompt's. */
export type VersionInput = Attributes &
  PromptBody & {
    readonly title?: string | undefined
    readonly changelog?: string | null | undefined
  }

/**
 * The input from which core creates a prompt; its type derives the rest. Unknown properties are left for core to
 * validate.
 */
export function toMinionInput<Extra extends JsonObject>(
  input: Attributes & PromptBody & { readonly title: string },
  extra: Extra,
) {
  const { content: given, messages, settings, responseSchema: schema, description, tags, ...attributes } = input
  const responseSchema = schema && asJsonSchema(schema)
  const body = { messages: messages?.map((message) => ({ ...message })), settings, responseSchema }
  checkBody({ ...body, messages })
  const text = bodyOf({ content: given, messages })
  const content = text.messages ? messagesText(text.messages) : text.content
  compileTemplate(content)
  const present = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
  return { ...attributes, fields: { content, description, ...extra, tags, ...present } }
}

/** A body whose parts were given separately. Throws unless it is a text or a list of messages. */
export const bodyOf = guarded('bodyOf', bodyOfUnchecked)

function bodyOfUnchecked(parts: {
  readonly content?: string | undefined
  readonly messages?: readonly PromptMessage[] | undefined
}): PromptBody {
  const { content, messages } = parts
  if (messages !== undefined) {
    if (content === undefined) return { messages }
    throw promptsError('MESSAGES_INVALID', 'A prompt has either content or messages, not both.')
  }
  if (content !== undefined) return { content }
  throw coreError('VALIDATION_FAILED', 'A prompt needs content or messages.')
}
