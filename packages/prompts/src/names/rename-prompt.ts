import { type By, coreError } from '@minions/core'
import { inTransaction, type PromptAccess } from '../access.js'
import { clientReader } from '../chain/chain-reader.js'
import { isTemplate, loadLivePrompt, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { checkIncluders } from '../fragments/check-includers.js'
import { nameTaken } from './name-index.js'
import { namingsOf, remember } from './namings.js'
import { assertPromptName } from './prompt-name.js'

export async function renamePrompt(
  access: PromptAccess,
  prompt: string,
  name: string,
  by: By,
): Promise<PromptTemplateMinion> {
  assertPromptName(name)
  return inTransaction(access, async (tx) => {
    const minion = await loadLivePrompt(tx, prompt)
    if (!isTemplate(minion)) {
      throw coreError('VALIDATION_FAILED', `"${prompt}" is a version; only prompts have names.`, {
        details: { id: minion.id },
      })
    }
    const holder = await tx.lookup.named(name)
    if (holder && !holder.former && holder.promptId !== minion.id) throw nameTaken(name, holder.promptId)
    const last = (await namingsOf(clientReader(tx.client), [minion.id])).get(minion.id)?.at(-1)
    if (last?.name === name) return minion
    await remember(tx.client, { promptId: minion.id, name, naming: (last?.naming ?? 0) + 1 }, by)
    if (holder && holder.promptId !== minion.id) await checkIncluders(tx, name)
    return minion
  })
}
