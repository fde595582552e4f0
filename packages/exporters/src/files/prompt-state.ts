import { jsonEqual } from '@minions/core/json'
import { bodyOf, messagesOf, messagesText, type PromptBody, type PromptMinion } from '@minions/prompts'
import { defined, type PortablePrompt } from '../exchange/portable-prompt.js'

/** The content of a version, as far as a file holds it. */
export type PromptState = PromptBody &
  Pick<PortablePrompt, 'title' | 'description' | 'tags' | 'settings' | 'responseSchema'>

export function stateOf(version: PromptMinion): PromptState {
  const { content, description, tags, settings, responseSchema } = version.fields
  const messages = messagesOf(version)
  return {
    ...(messages ? bodyOf({ messages }) : bodyOf({ content })),
    title: version.title,
    ...defined({ description, tags, settings, responseSchema }),
  }
}

export function isSame(a: PromptState, b: PromptState): boolean {
  return jsonEqual(defined({ ...a }), defined({ ...b }))
}

/** A state in the form a diff reads. */
export function asDiffable({ title, content, messages, ...fields }: PromptState) {
  return { title, fields: { ...fields, content: messages ? messagesText(messages) : content } }
}
