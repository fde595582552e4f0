import { isDeleted, type Minion, type MinionOf, type MinionsAccess, type MinionType } from '@minions/core'
import { coreError, promptsError } from '../errors.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'

/** A prompt in its current state: the root of its versions. */
export type PromptTemplateMinion = MinionOf<typeof promptTemplateType> & {
  minionTypeId: typeof promptTemplateType.id
}

/** A prompt as it was at one time. */
export type PromptVersionMinion = MinionOf<typeof promptVersionType> & {
  minionTypeId: typeof promptVersionType.id
}

/** What a version chain consists of. */
export type PromptMinion = PromptTemplateMinion | PromptVersionMinion

export function isPrompt(minion: Minion): minion is PromptMinion {
  return isTemplate(minion) || minion.minionTypeId === promptVersionType.id
}

export function isTemplate(minion: Minion): minion is PromptTemplateMinion {
  return minion.minionTypeId === promptTemplateType.id
}

/** A prompt or version by id, deleted or not. Throws `NOT_FOUND` or `PROMPT_TYPE_MISMATCH`. */
export async function loadPrompt(client: MinionsAccess, id: string): Promise<PromptMinion> {
  const minion = await client.get(id)
  if (!minion) throw coreError('NOT_FOUND', `There is no prompt or version "${id}".`, { details: { id } })
  if (isPrompt(minion)) return minion
  throw wrongType(minion, [promptTemplateType, promptVersionType])
}

/** A prompt or version that is not deleted; `DELETED` otherwise. */
export async function loadLivePrompt(client: MinionsAccess, id: string): Promise<PromptMinion> {
  const minion = await loadPrompt(client, id)
  if (!isDeleted(minion)) return minion
  throw coreError('DELETED', `The prompt or version "${id}" is deleted; restore it first.`, { details: { id } })
}

/** Those of the ids that are prompts or versions, deleted ones too. */
export async function loadPrompts(client: MinionsAccess, ids: readonly string[]): Promise<PromptMinion[]> {
  const found = await loadMinions(client, ids, [promptTemplateType, promptVersionType])
  return found as PromptMinion[]
}

/** Those of the ids that are minions of some types, deleted ones too, oldest first. One question, however many ids. */
export async function loadMinions(
  client: MinionsAccess,
  ids: readonly string[],
  types: readonly MinionType[],
): Promise<Minion[]> {
  const minions: Minion[] = []
  if (ids.length === 0) return minions
  const where = { id: { in: ids }, minionTypeId: { in: types.map((type) => type.id) } }
  let cursor: string | undefined
  do {
    const page = await client.find({ where, includeDeleted: true, limit: 100_000, ...(cursor && { cursor }) })
    minions.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return minions
}

export function wrongType(minion: Minion, expected: readonly MinionType[]): Error {
  const names = expected.map((type) => type.slug).join(' or ')
  return promptsError(
    'PROMPT_TYPE_MISMATCH',
    `Minion "${minion.id}" is of type "${minion.minionTypeId}", but a ${names} is needed.`,
    { details: { id: minion.id, minionTypeId: minion.minionTypeId, expected: expected.map((type) => type.id) } },
  )
}
