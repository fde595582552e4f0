import { coreError, nearestName, quote } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { isPrompt, loadPrompt } from '../chain/prompt-minion.js'
import { isPromptName } from '../names/prompt-name.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { promptVersionType } from '../types/prompt-version.js'
import { type PromptReference, SHORTEST_BEGINNING, type VersionChoice } from './version-reference.js'

/** The id of a prompt or version given by its id or, for prompts, by its name or title. Throws `NOT_FOUND`. */
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
  const shown = `"${name.slice(0, 100)}"`
  const details = { prompt: name }
  if (found) {
    throw coreError('NOT_FOUND', `${shown} is the title of several prompts; give a name or an id.`, { details })
  }
  if (begun.length > 1) {
    throw coreError('NOT_FOUND', `${shown} is the beginning of several ids; give more of it.`, { details })
  }
  const nearest = await nearestPrompt({ client, lookup }, name)
  const hint =
    nearest === undefined ? 'list the prompts with prompts.list.' : `did you mean "${nearest.slice(0, 100)}"?`
  throw coreError('NOT_FOUND', `${shown} is not the id, name or title of a prompt; ${hint}`, {
    details: { ...details, ...(nearest !== undefined && { nearest }) },
  })
}

/** Number of prompts searched for a misspelt name, latest first. */
const MOST_COMPARED = 200

async function nearestPrompt({ client, lookup }: PromptAccess, name: string): Promise<string | undefined> {
  const orderBy = [{ field: 'updatedAt', direction: 'desc' }] as const
  const { items } = await client.find({ type: promptTemplateType.id, orderBy, limit: MOST_COMPARED })
  const names = await lookup.names(items.map(({ id }) => id))
  return nearestName(name, [...names.values(), ...items.map(({ title }) => title)])
}

/** At most two ids of prompts and versions with this prefix. */
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

/** A prompt as published or, given a version, that version. */
export async function resolveReference(
  access: PromptAccess,
  name: string,
  version: VersionChoice | undefined,
): Promise<PromptReference> {
  const prompt = await resolvePromptId(access, name)
  return version === undefined ? prompt : { prompt, version: await resolveVersion(access, prompt, version) }
}

/** True for a version number: `2` or `v2`. */
export function isVersionNumber(version: VersionChoice): boolean {
  return typeof version === 'number' || (typeof version === 'string' && /^v?\d+$/.test(version))
}

/** A string may be a version number, unless a version has it as its id. */
async function resolveVersion(access: PromptAccess, promptId: string, version: VersionChoice): Promise<VersionChoice> {
  if (typeof version !== 'number' && typeof version !== 'string') {
    throw coreError('VALIDATION_FAILED', `A version is given by its number or id, not as ${quote(version)}.`)
  }
  if (typeof version === 'number' || !isVersionNumber(version)) return version
  const member = await access.lookup.member(await loadPrompt(access, promptId), version)
  return member ? version : Number(version.replace(/^v/, ''))
}
