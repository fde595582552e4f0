import type { CreateMinionInput, JsonObject } from '@minions/core'
import { compileTemplate } from '../template/compiled-template.js'

type Attributes = Pick<CreateMinionInput, 'id' | 'status' | 'priority' | 'dueDate' | 'categoryId' | 'folderId'>

/** What a prompt, or a version of one, is made from. */
export interface PromptInput extends Attributes {
  readonly title: string
  /** The template. Throws `TemplateError` when it is malformed; nothing is stored then. */
  readonly content: string
  readonly description?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
}

/** A new version; its title is the prompt's unless given. */
export interface VersionInput extends Omit<PromptInput, 'title'> {
  readonly title?: string | undefined
  readonly changelog?: string | null | undefined
}

/** What core creates a prompt from; its type derives the rest. What is not known here is left to core to judge. */
export function toMinionInput<Extra extends JsonObject>(input: PromptInput, extra: Extra) {
  const { content, description, tags, ...attributes } = input
  compileTemplate(content)
  return { ...attributes, fields: { content, description, ...extra, tags } }
}
