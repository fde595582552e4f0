import {
  coreError,
  everyPage,
  isDeleted,
  type Minion,
  type MinionOf,
  type MinionsAccess,
  type MinionType,
} from '@minions/core'
import type { PromptAccess } from '../access.js'
import type { BodyFields } from '../chat/prompt-body.js'
import { promptsError } from '../errors.js'
import { isPromptName } from '../names/prompt-name.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'

/** A prompt in its current state: the root of its versions. */
export type PromptTemplateMinion = MinionOf<typeof promptTemplateType> & {
  minionTypeId: typeof promptTemplateType.id
  fields: BodyFields
}

/** A prompt as it was at one time. */
export type PromptVersionMinion = MinionOf<typeof promptVersionType> & {
  minionTypeId: typeof promptVersionType.id
  fields: BodyFields
}

/** The elements of a version chain. */
export type PromptMinion = PromptTemplateMinion | PromptVersionMinion

export function isPrompt(minion: Minion): minion is PromptMinion {
  return isTemplate(minion) || minion.minionTypeId === promptVersionType.id
}

export function isTemplate(minion: Minion): minion is PromptTemplateMinion {
  return minion.minionTypeId === promptTemplateType.id
}

/**
 * A prompt by its id or name, or a version by its id, deleted or not. Ids take precedence over names. Throws
 * `NOT_FOUND` or `PROMPT_TYPE_MISMATCH`.
 */
export async function loadPrompt({ client, lookup }: PromptAccess, idOrName: string): Promise<PromptMinion> {
  const minion = await client.get(idOrName)
  if (minion && isPrompt(minion)) return minion
  const holder = isPromptName(idOrName) ? await lookup.named(idOrName) : undefined
  const named = holder && (await client.get(holder.promptId))
  if (named && isPrompt(named)) return named
  if (minion) throw wrongType(minion, [promptTemplateType, promptVersionType])
  throw coreError('NOT_FOUND', `There is no prompt or version "${idOrName}".`, { details: { id: idOrName } })
}

/** A prompt or version that is not deleted; `DELETED` otherwise. */
export async function loadLivePrompt(access: PromptAccess, id: string): Promise<PromptMinion> {
  const minion = await loadPrompt(access, id)
  if (!isDeleted(minion)) return minion
  throw coreError('DELETED', `The prompt or version "${id}" is deleted; restore it first.`, { details: { id } })
}

/** The prompts and versions among the ids, including deleted ones. */
export async function loadPrompts(client: MinionsAccess, ids: readonly string[]): Promise<PromptMinion[]> {
  const found = await loadMinions(client, ids, [promptTemplateType, promptVersionType])
  return found as PromptMinion[]
}

/**
 * The minions of some types among the ids, including deleted ones, oldest first. One query, regardless of the number of
 * ids.
 */
export async function loadMinions(
  client: MinionsAccess,
  ids: readonly string[],
  types: readonly MinionType[],
): Promise<Minion[]> {
  if (ids.length === 0) return []
  const where = { id: { in: ids }, minionTypeId: { in: types.map((type) => type.id) } }
  return everyPage((next) => client.find({ where, includeDeleted: true, limit: 100_000, ...next }))
}

export function wrongType(minion: Minion, expected: readonly MinionType[]): Error {
  const names = expected.map((type) => type.slug).join(' or ')
  return promptsError(
    'PROMPT_TYPE_MISMATCH',
    `Minion "${minion.id}" is of type "${minion.minionTypeId}", but a ${names} is needed.`,
    { details: { id: minion.id, minionTypeId: minion.minionTypeId, expected: expected.map((type) => type.id) } },
  )
}
