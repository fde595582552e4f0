import { isDeleted, type MinionsAccess } from '@minions/core'
import { loadMinions } from '../chain/prompt-minion.js'
import { relationsAt } from '../chain/relations.js'
import { promptVariableType } from '../types/prompt-variable.js'
import type { PromptVariableMinion } from './variable-value.js'

/** The variables that are `part_of` prompts or versions, oldest first; of two with one name, that of the later id. */
export async function declaredVariables(
  client: MinionsAccess,
  ids: readonly string[],
): Promise<PromptVariableMinion[]> {
  const partOf = await relationsAt(client, 'targetIds', ids, ['part_of'])
  const owners = new Map(partOf.map(({ sourceId, targetId }) => [sourceId, ids.indexOf(targetId)]))
  const found = (await loadMinions(client, [...owners.keys()], [promptVariableType])) as PromptVariableMinion[]
  const byName = new Map<string, PromptVariableMinion>()
  for (const variable of found) {
    if (isDeleted(variable)) continue
    const known = byName.get(variable.title)
    if (!known || (owners.get(variable.id) ?? 0) >= (owners.get(known.id) ?? 0)) byName.set(variable.title, variable)
  }
  return [...byName.values()]
}
