import { coreError, isDeleted, type Page } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { isTemplate, loadPrompt, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { promptTemplateType } from '../types/prompt-template.js'

/** Selects prompts. Omitted properties do not restrict. */
export interface PromptQuery {
  /** Tags that a prompt must have, all of them. */
  readonly tags?: readonly string[] | undefined
  /** Words that must all occur, as prefixes of words, in its title, text, description or tags. */
  readonly text?: string | undefined
  /** Page size. Default: 100. */
  readonly limit?: number | undefined
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Include deleted prompts. */
  readonly includeDeleted?: boolean | undefined
}

/** A prompt with its name; null if it was never given one. */
export type NamedPrompt = PromptTemplateMinion & { readonly name: string | null }

export async function listPrompts(
  { client, lookup }: PromptAccess,
  { text, ...query }: PromptQuery,
): Promise<Page<NamedPrompt>> {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
  const asked = { type: promptTemplateType.id, ...given }
  const page = text === undefined ? await client.find(asked) : await client.search(text, asked)
  const prompts = page.items.filter(isTemplate)
  const names = await lookup.names(prompts.map(({ id }) => id))
  return { ...page, items: prompts.map((prompt) => ({ ...prompt, name: names.get(prompt.id) ?? null })) }
}

export async function findPrompt(access: PromptAccess, idOrName: string): Promise<PromptTemplateMinion | undefined> {
  try {
    const minion = await loadPrompt(access, idOrName)
    return isTemplate(minion) && !isDeleted(minion) ? minion : undefined
  } catch (error) {
    if (coreError.is(error, 'NOT_FOUND') || promptsError.is(error, 'PROMPT_TYPE_MISMATCH')) return undefined
    throw error
  }
}
