import type { PromptAccess } from '../access.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { isPlaceholder, type PromptMessage } from '../chat/message.js'
import { messagesText } from '../chat/message-text.js'
import { messagesOf } from '../chat/prompt-body.js'
import { promptsError } from '../errors.js'
import { compileTemplate } from '../template/compiled-template.js'
import { printTemplate } from '../template/print-template.js'
import { FragmentLoader, type PathStep, type UsedFragment } from './load-fragments.js'

/** A prompt or version with its fragments expanded, and the fragments themselves. */
export interface Included {
  readonly version: PromptMinion
  readonly fragments: readonly UsedFragment[]
}

/** True if a template may include other prompts. */
export function hasFragments(content: unknown): boolean {
  return typeof content === 'string' && /\{\{[ \t\n\r\f\v]*>/.test(content)
}

/** Expands the fragments of a prompt or version. Queries the store only if there are any. */
export async function includeFragments(access: PromptAccess, version: PromptMinion): Promise<Included> {
  if (!hasFragments(version.fields.content)) return { version, fragments: [] }
  const id = await access.lookup.rootId(version)
  const loader = new FragmentLoader(access)
  const path = [{ id, name: (await access.lookup.names([id])).get(id) ?? id }]
  const messages = messagesOf(version)
  const fields = messages
    ? await chatFields(loader, messages, path)
    : { content: await expanded(loader, version.fields.content, path) }
  // The shape is that of the version; only the templates have changed.
  return { version: { ...version, fields: { ...version.fields, ...fields } } as PromptMinion, fragments: loader.used }
}

/** Throws unless all fragments of a template exist, are text, and do not include the prompt. */
export async function checkFragments(access: PromptAccess, content: string, path: readonly PathStep[]): Promise<void> {
  if (hasFragments(content)) await expanded(new FragmentLoader(access), content, path)
}

async function chatFields(loader: FragmentLoader, messages: readonly PromptMessage[], path: readonly PathStep[]) {
  const included: PromptMessage[] = []
  for (const message of messages) {
    const content = isPlaceholder(message) ? undefined : await expanded(loader, message.content, path)
    included.push(content === undefined ? message : ({ ...message, content } as PromptMessage))
  }
  return { messages: included, content: messagesText(included) }
}

async function expanded(loader: FragmentLoader, content: string, path: readonly PathStep[]): Promise<string> {
  const printed = printTemplate(await loader.expand(compileTemplate<string>(content).nodes, path))
  if (printed !== undefined) return printed
  throw promptsError(
    'FRAGMENT_INVALID',
    'A fragment ends in a brace and is followed by a tag; put a space between them.',
  )
}
