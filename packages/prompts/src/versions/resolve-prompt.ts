import { coreError, nearestName } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { isPrompt, loadPrompt } from '../chain/prompt-minion.js'
import { isPromptName } from '../names/prompt-name.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'
import { type PromptReference, SHORTEST_BEGINNING, type VersionChoice } from './version-reference.js'

/** The id of a prompt or version that is given by its id or, for prompts, by its name or title. Throws `NOT_FOUND`. */
export async function resolvePromptId({ client, lookup }: PromptAccess, name: string): Promise<string> {
  const minion = await client.get(name)
  if (minion && isPrompt(minion)) return name
  const holder = isPromptName(name) ? await lookup.named(name) : undefined
  if (holder) return holder.promptId
  if (minion) return name
  const { items } = await client.find({ type: promptTemplateType.id, where: { title: name }, limit: 2 })
  const [found, other] = items
  if (found && !other) return found.id
  const begun = found ? [] : await idsBeginningWith(client, name)
  if (begun.length === 1) return begun[0] as string
  const problem = found
    ? 'is the title of several prompts; give a name or an id.'
    : begun.length > 1
      ? 'is the beginning of several ids; give more of it.'
      : `is not the id, name or title of a prompt; ${await hint(client, name)}`
  throw coreError('NOT_FOUND', `"${name.slice(0, 100)}" ${problem}`, { details: { prompt: name } })
}

/** As many titles as a misspelt one is compared with, those changed last. */
const MOST_TITLES = 200

async function hint(client: PromptAccess['client'], name: string): Promise<string> {
  const { items } = await client.find({
    type: promptTemplateType.id,
    orderBy: [{ field: 'updatedAt', direction: 'desc' }],
    limit: MOST_TITLES,
  })
  const nearest = nearestName(
    name,
    items.map(({ title }) => title),
  )
  return nearest === undefined ? 'see prompts.list.' : `did you mean "${nearest.slice(0, 100)}"?`
}

/** At most two ids of prompts and versions that begin like this. */
async function idsBeginningWith(client: PromptAccess['client'], text: string): Promise<string[]> {
  if (text.length < SHORTEST_BEGINNING) return []
  const where = {
    and: [
      { id: { gte: text } },
      { id: { lt: `${text}\u{10ffff}` } },
      { minionTypeId: { in: [promptTemplateType.id, promptVersionType.id] } },
    ],
  }
  return (await client.find({ where, limit: 2 })).items.map(({ id }) => id)
}

/** A prompt as it is published or, given a version, that one. */
export async function resolveReference(
  access: PromptAccess,
  name: string,
  version: VersionChoice | undefined,
): Promise<PromptReference> {
  const prompt = await resolvePromptId(access, name)
  return version === undefined ? prompt : { prompt, version: await resolveVersion(access, prompt, version) }
}

/** True for the number of a version as people write it: `2` or `v2`. */
export function isVersionNumber(version: VersionChoice): boolean {
  return typeof version === 'number' || (typeof version === 'string' && /^v?\d+$/.test(version))
}

/** Text may be the number of a version, unless a version has it as its id. */
async function resolveVersion(access: PromptAccess, promptId: string, version: VersionChoice): Promise<VersionChoice> {
  if (typeof version === 'number' || !isVersionNumber(version)) return version
  const member = await access.lookup.member(await loadPrompt(access, promptId), version)
  return member ? version : Number(version.replace(/^v/, ''))
}
