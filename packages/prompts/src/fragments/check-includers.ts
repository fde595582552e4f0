import { isDeleted } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { isTemplate, loadPrompts } from '../chain/prompt-minion.js'
import { includeFragments } from './include-fragments.js'

/**
 * Throws unless the prompts that include a name can still be rendered, now that another prompt has that name: it may
 * include one of them, or be a chat prompt.
 */
export async function checkIncluders(access: PromptAccess, name: string): Promise<void> {
  const inclusions = await access.lookup.including([name])
  const ownerIds = inclusions.map(({ ownerId }) => ownerId)
  const owners = await loadPrompts(access.client, ownerIds)
  for (const owner of owners) if (isTemplate(owner) && !isDeleted(owner)) await includeFragments(access, owner)
}
