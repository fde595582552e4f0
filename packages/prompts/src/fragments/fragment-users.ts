import { isDeleted } from '@minions/core'
import { type Static, Type } from 'typebox'
import type { PromptAccess } from '../access.js'
import { loadPrompts } from '../chain/prompt-minion.js'
import { loadTemplate } from '../labels/resolve-label.js'
import { versionNumber } from '../versions/version-number.js'

/** A prompt or version that includes a fragment. */
export const FragmentUserSchema = Type.Object({
  promptId: Type.String({ description: 'The prompt that includes it.' }),
  name: Type.Union([Type.String(), Type.Null()], { description: 'Name of that prompt.' }),
  versionId: Type.String({ description: 'The version, or the prompt itself, which holds the published content.' }),
  version: Type.Union([Type.Number(), Type.Null()], { description: 'Number of the version; 0 for the prompt itself.' }),
  as: Type.String({ description: 'The name by which it is included.' }),
})

export type FragmentUser = Readonly<Static<typeof FragmentUserSchema>>

export async function fragmentUsers(access: PromptAccess, prompt: string): Promise<FragmentUser[]> {
  const { client, lookup } = access
  const { id } = await loadTemplate(access, prompt)
  const names = [id, ...(await leadingTo(access, id))]
  const inclusions = await lookup.including(names)
  const ownerIds = inclusions.map(({ ownerId }) => ownerId)
  const owners = await loadPrompts(client, ownerIds)
  const users: FragmentUser[] = []
  for (const owner of owners) {
    if (isDeleted(owner)) continue
    const promptId = await lookup.rootId(owner)
    const name = (await lookup.names([promptId])).get(promptId) ?? null
    for (const { ownerId, name: as } of inclusions) {
      if (ownerId === owner.id) users.push({ promptId, name, versionId: owner.id, version: versionNumber(owner), as })
    }
  }
  return users
}

/** The names that currently refer to a prompt; another prompt may have taken over an earlier one. */
async function leadingTo({ lookup }: PromptAccess, promptId: string): Promise<string[]> {
  const names = await lookup.allNames(promptId)
  const holders = await Promise.all(names.map((name) => lookup.named(name)))
  return names.filter((_, index) => holders[index]?.promptId === promptId)
}
