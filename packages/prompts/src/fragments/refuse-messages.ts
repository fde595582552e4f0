import type { PromptAccess } from '../access.js'
import { loadPrompts, type PromptMinion, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { PRODUCTION } from '../labels/label-name.js'
import { type FragmentUser, fragmentUsers } from './fragment-users.js'
import { fragmentsIn } from './inclusions.js'

/**
 * Throws `FRAGMENT_INVALID` if prompts that are in use include what a label of another stands for: to be called before the
 * label is moved to a list of messages, which cannot be part of a text.
 */
export async function refuseMessages(access: PromptAccess, prompt: PromptTemplateMinion, label: string): Promise<void> {
  const users = await fragmentUsers(access, prompt.id)
  const ids = users.map(({ versionId }) => versionId)
  const owners = new Map((await loadPrompts(access.client, ids)).map((owner) => [owner.id, owner]))
  const includedBy = new Set<string>()
  for (const user of users) {
    const owner = owners.get(user.versionId)
    if (!owner || !includes(owner, user.as, label) || !(await isInUse(access, user))) continue
    includedBy.add(user.name ?? user.promptId)
  }
  if (includedBy.size === 0) return
  const names = [...includedBy].map((name) => JSON.stringify(name)).join(', ')
  throw promptsError(
    'FRAGMENT_INVALID',
    `The label "${label}" of "${prompt.title}" cannot stand for a list of messages: ${names} include it as text. Remove the tags there first.`,
    { details: { promptId: prompt.id, label, includedBy: [...includedBy] } },
  )
}

function includes({ fields: { content } }: PromptMinion, name: string, label: string): boolean {
  return fragmentsIn(content).some((fragment) => fragment.name === name && (fragment.at ?? PRODUCTION) === label)
}

/** True for what is published, and for versions that another label points to. */
async function isInUse({ lookup }: PromptAccess, { promptId, versionId }: FragmentUser): Promise<boolean> {
  if (versionId === promptId) return true
  const labels = await lookup.labels(promptId)
  return labels.some(({ targets }) => targets.some((target) => target.versionId === versionId))
}
