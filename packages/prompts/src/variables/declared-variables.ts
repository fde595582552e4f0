import { isDeleted } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { loadMinions, type PromptMinion } from '../chain/prompt-minion.js'
import { promptVariableType } from '../types/prompt-variable.js'
import type { PromptVariableMinion } from './variable-value.js'

/**
 * The variables that are `part_of` prompts or versions, oldest first; of two with the same name, the one with the later
 * id.
 */
export async function declaredVariables(
  { client, lookup }: PromptAccess,
  ids: readonly string[],
): Promise<PromptVariableMinion[]> {
  const owners = new Map<string, number>()
  for (const { id, ownerId } of await lookup.parts('variable', [...new Set(ids)])) {
    owners.set(id, Math.max(owners.get(id) ?? 0, ids.indexOf(ownerId)))
  }
  const found = (await loadMinions(client, [...owners.keys()], [promptVariableType])) as PromptVariableMinion[]
  const byName = new Map<string, PromptVariableMinion>()
  for (const variable of found) {
    if (isDeleted(variable)) continue
    const known = byName.get(variable.title)
    if (!known || (owners.get(variable.id) ?? 0) >= (owners.get(known.id) ?? 0)) byName.set(variable.title, variable)
  }
  return [...byName.values()]
}

/** The declarations that apply to a prompt or version: those of its prompt, and its own. */
export async function variablesFor(access: PromptAccess, prompt: PromptMinion): Promise<PromptVariableMinion[]> {
  return declaredVariables(access, [await access.lookup.rootId(prompt), prompt.id])
}
