import type { MinionsAccess } from '@minions/core'
import { PromptChain } from '../chain/prompt-chain.js'
import { coreError } from '../errors.js'
import { promptTemplateType } from '../types/prompt-template.js'
import type { PromptReference, VersionChoice } from './version-reference.js'

/** The id of a prompt or version that is named by its id or, for prompts, by its title. Throws `NOT_FOUND`. */
export async function resolvePromptId(client: MinionsAccess, name: string): Promise<string> {
  if (await client.get(name)) return name
  const { items } = await client.find({ type: promptTemplateType.id, where: { title: name }, limit: 2 })
  const [found, other] = items
  if (found && !other) return found.id
  const problem = found
    ? 'is the title of several prompts; give an id'
    : 'is neither the id nor the title of a prompt; see prompts.list'
  throw coreError('NOT_FOUND', `"${name.slice(0, 100)}" ${problem}.`, { details: { prompt: name } })
}

/** A prompt as it is published or, given a version, that one. */
export async function resolveReference(
  client: MinionsAccess,
  name: string,
  version: VersionChoice | undefined,
): Promise<PromptReference> {
  const prompt = await resolvePromptId(client, name)
  return version === undefined ? prompt : { prompt, version: await resolveVersion(client, prompt, version) }
}

/** True for the number of a version as people write it: `2` or `v2`. */
export function isVersionNumber(version: VersionChoice): boolean {
  return typeof version === 'number' || /^v?\d+$/.test(version)
}

/** Text may be the number of a version, unless a version has it as its id. */
async function resolveVersion(client: MinionsAccess, promptId: string, version: VersionChoice): Promise<VersionChoice> {
  if (typeof version === 'number' || !isVersionNumber(version)) return version
  const chain = await new PromptChain(client).getVersionChain(promptId)
  return chain.some(({ id }) => id === version) ? version : Number(version.replace(/^v/, ''))
}
