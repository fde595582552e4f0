import { guarded } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { type Static, Type } from 'typebox'
import { NAME } from '../template/variable-name.js'

/** Role of a message. */
export const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant'] as const

const RoleMessageSchema = strictObject({
  role: Type.Enum([...MESSAGE_ROLES], { description: 'Role.' }),
  content: Type.String({ description: 'The template of the message.' }),
})

const MessagePlaceholderSchema = strictObject({
  placeholder: Type.String({
    pattern: NAME.source,
    description: 'Name of the variable whose messages are inserted here, such as a conversation so far.',
  }),
  optional: Type.Optional(Type.Boolean({ description: 'Without a value, nothing is inserted.' })),
})

/** A message of a chat prompt, or a placeholder where messages are inserted. */
export const PromptMessageSchema = Type.Union([RoleMessageSchema, MessagePlaceholderSchema])

export type RoleMessage = Readonly<Static<typeof RoleMessageSchema>>
export type MessagePlaceholder = Readonly<Static<typeof MessagePlaceholderSchema>>
export type PromptMessage = RoleMessage | MessagePlaceholder

/** A message ready to be sent. Inserted messages are passed through unchanged. */
export interface RenderedMessage {
  readonly role: string
  readonly content: unknown
}

export const isPlaceholder = guarded('isPlaceholder', (message: PromptMessage): message is MessagePlaceholder => {
  return 'placeholder' in message
})
