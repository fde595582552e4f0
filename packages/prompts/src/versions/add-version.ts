import type { By } from '@minions/core'
import { inTransaction, type PromptAccess } from '../access.js'
import { PromptChain } from '../chain/prompt-chain.js'
import {
  isTemplate,
  loadLivePrompt,
  type PromptMinion,
  type PromptTemplateMinion,
  type PromptVersionMinion,
} from '../chain/prompt-minion.js'
import { messagesOf } from '../chat/prompt-body.js'
import { checkIncluders } from '../fragments/check-includers.js'
import { checkFragments, hasFragments } from '../fragments/include-fragments.js'
import { refuseMessages } from '../fragments/refuse-messages.js'
import { LATEST } from '../labels/label-name.js'
import { loadTemplate } from '../labels/resolve-label.js'
import { chooseName } from '../names/choose-name.js'
import { remember } from '../names/namings.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'
import { type PromptInput, toMinionInput, type VersionInput } from './prompt-input.js'

export async function createPrompt(
  access: PromptAccess,
  { name: given, ...input }: PromptInput,
  by: By,
): Promise<PromptTemplateMinion> {
  return inTransaction(access, async (tx) => {
    const { name, isTakenOver } = await chooseName(tx, given, input.title)
    const fields = toMinionInput(input, {})
    await checkFragments(tx, fields.fields.content, [{ id: input.id ?? name, name }])
    const prompt = (await tx.client.create(promptTemplateType, fields, by)) as PromptTemplateMinion
    await remember(tx.client, { promptId: prompt.id, name, naming: 1 }, by)
    if (isTakenOver) await checkIncluders(tx, name)
    return prompt
  })
}

/**
 * Adds a version after the given one or, given a prompt, after its latest. Its parent is determined before the
 * transaction begins, so two concurrent additions both follow the version they saw, as branches.
 */
export async function addVersion(
  access: PromptAccess,
  id: string,
  { changelog, title, ...input }: VersionInput,
  by: By,
): Promise<PromptVersionMinion> {
  const { lookup } = access
  const previous = await predecessorFor(access, id)
  const rootId = await lookup.rootId(previous)
  const versionNumber = 1 + (await lookup.numberOf(previous))
  const fields = { versionNumber, ...(changelog && { changelog }) }
  const minion = toMinionInput({ ...input, title: title ?? previous.title }, fields)
  return inTransaction(access, async (tx) => {
    await checkVersion(tx, rootId, minion.fields.content)
    if (messagesOf(minion)) await refuseMessages(tx, await loadTemplate(tx, rootId), LATEST)
    const version = await tx.client.create(promptVersionType, minion, by)
    await tx.client.link({ sourceId: version.id, targetId: previous.id, type: 'follows' }, by)
    // Finds all versions of a prompt at once where there is no index; see `readChain`.
    await tx.client.link({ sourceId: version.id, targetId: rootId, type: 'part_of' }, by)
    return version as PromptVersionMinion
  })
}

async function checkVersion(tx: PromptAccess, rootId: string, content: string): Promise<void> {
  if (!hasFragments(content)) return
  await checkFragments(tx, content, [{ id: rootId, name: (await tx.lookup.names([rootId])).get(rootId) ?? rootId }])
}

async function predecessorFor(access: PromptAccess, id: string): Promise<PromptMinion> {
  const { client, lookup } = access
  const minion = await loadLivePrompt(access, id)
  return isTemplate(minion) ? new PromptChain(client, lookup).getLatestVersion(minion.id) : minion
}
