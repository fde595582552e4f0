import { coreError, isDeleted, type Page } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { isTemplate, loadPrompt, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { promptTemplateType } from '../types/prompt-template.js'

/** Which prompts to list. What is left out does not restrict. */
export interface PromptQuery {
  /** Tags that a prompt must all have. */
  readonly tags?: readonly string[] | undefined
  /** Words that must all be beginnings of words of its title, text, description or tags. */
  readonly text?: string | undefined
  /** At most this many in a page; 100 unless given. */
  readonly limit?: number | undefined
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined
  /** Deleted prompts too. */
  readonly includeDeleted?: boolean | undefined
}

/** A prompt with the name it has; null if it was never given one. */
export type NamedPrompt = PromptTemplateMinion & { readonly name: string | null }

/** A page of prompts. */
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

/** A prompt that is not deleted, by its id or name. */
export async function findPrompt(access: PromptAccess, idOrName: string): Promise<PromptTemplateMinion | undefined> {
  try {
    const minion = await loadPrompt(access, idOrName)
    return isTemplate(minion) && !isDeleted(minion) ? minion : undefined
  } catch (error) {
    if (coreError.is(error, 'NOT_FOUND') || promptsError.is(error, 'PROMPT_TYPE_MISMATCH')) return undefined
    throw error
  }
}
