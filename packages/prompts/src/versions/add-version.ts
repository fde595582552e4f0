import type { By, MinionsAccess } from '@minions/core'
import { findRootId, versionNumberOf } from '../chain/find-root.js'
import { PromptChain } from '../chain/prompt-chain.js'
import {
  isTemplate,
  loadLivePrompt,
  type PromptMinion,
  type PromptTemplateMinion,
  type PromptVersionMinion,
} from '../chain/prompt-minion.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'
import { type PromptInput, toMinionInput, type VersionInput } from './prompt-input.js'

export async function createPrompt(client: MinionsAccess, input: PromptInput, by: By): Promise<PromptTemplateMinion> {
  return (await client.create(promptTemplateType, toMinionInput(input, {}), by)) as PromptTemplateMinion
}

/**
 * Adds a version after the one given or, given a prompt, after its latest. What it follows is decided before the
 * transaction begins, so two people who add one at the same time both follow what they saw, as branches.
 */
export async function addVersion(
  client: MinionsAccess,
  id: string,
  { changelog, title, ...input }: VersionInput,
  by: By,
): Promise<PromptVersionMinion> {
  const previous = await predecessorFor(client, id)
  const rootId = await findRootId(client, previous)
  const versionNumber = 1 + (await versionNumberOf(client, previous))
  const fields = { versionNumber, ...(changelog && { changelog }) }
  const minion = toMinionInput({ ...input, title: title ?? previous.title }, fields)
  return client.transaction(async (tx) => {
    const version = await tx.create(promptVersionType, minion, by)
    await tx.link({ sourceId: version.id, targetId: previous.id, type: 'follows' }, by)
    // Leads from the prompt to all its versions at once; see `readChain`.
    await tx.link({ sourceId: version.id, targetId: rootId, type: 'part_of' }, by)
    return version as PromptVersionMinion
  })
}

async function predecessorFor(client: MinionsAccess, id: string): Promise<PromptMinion> {
  const minion = await loadLivePrompt(client, id)
  return isTemplate(minion) ? new PromptChain(client).getLatestVersion(id) : minion
}
