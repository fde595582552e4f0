import { guarded } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'
import { NAME } from '../template/variable-name.js'

/** Who speaks in a message of a prompt. */
export const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant'] as const

const closed = { additionalProperties: false } as const

const RoleMessageSchema = Type.Object(
  {
    role: Type.Enum([...MESSAGE_ROLES], { description: 'Who speaks.' }),
    content: Type.String({ description: 'The template of what is said.' }),
  },
  closed,
)

const MessagePlaceholderSchema = Type.Object(
  {
    placeholder: Type.String({
      pattern: NAME.source,
      description: 'Name of the variable whose messages stand here, such as a conversation so far.',
    }),
    optional: Type.Optional(Type.Boolean({ description: 'Without a value, nothing stands here.' })),
  },
  closed,
)

/** A message of a chat prompt, or a place where messages are inserted. */
export const PromptMessageSchema = Type.Union([RoleMessageSchema, MessagePlaceholderSchema])

export type RoleMessage = Readonly<Static<typeof RoleMessageSchema>>
export type MessagePlaceholder = Readonly<Static<typeof MessagePlaceholderSchema>>
export type PromptMessage = RoleMessage | MessagePlaceholder

/** A message that is ready to be sent. Those that were inserted are passed on as they were given. */
export interface RenderedMessage {
  readonly role: string
  readonly content: unknown
}

export const isPlaceholder = guarded('isPlaceholder', isPlaceholderUnchecked)

function isPlaceholderUnchecked(message: PromptMessage): message is MessagePlaceholder {
  return 'placeholder' in message
}
