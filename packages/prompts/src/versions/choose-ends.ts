import type { PromptAccess } from '../access.js'
import { PromptChain } from '../chain/prompt-chain.js'
import { isVersionNumber, resolvePromptId, resolveReference } from './resolve-prompt.js'
import { loadReference, type PromptReference, type VersionChoice } from './version-reference.js'

/** The versions to compare: two versions of a prompt, or a version and another prompt. */
export interface DiffEnds {
  /**
   * Default: the version before `to`. If this is the latest version and `to` is not given, version 0 is compared with
   * it.
   */
  readonly from?: VersionChoice | undefined
  /** Default: the latest version. */
  readonly to?: VersionChoice | undefined
}

/** The two versions to compare. A name that is not a version of the prompt refers to another prompt. */
export async function chooseEnds(
  access: PromptAccess,
  name: string,
  { from, to }: DiffEnds,
): Promise<[PromptReference, PromptReference]> {
  const promptId = await resolvePromptId(access, name)
  const chains = new PromptChain(access.client, access.lookup)
  const chain = await chains.getVersionChain(promptId)
  const named = async (version: VersionChoice): Promise<PromptReference> =>
    isVersionNumber(version) || chain.some(({ id }) => id === version)
      ? resolveReference(access, promptId, version)
      : resolvePromptId(access, String(version))
  const latest = await chains.getLatestVersion(promptId)
  const end = to === undefined ? latest.id : await named(to)
  if (from === undefined) {
    const { id } = await loadReference(access, end)
    const before = chain[chain.findIndex((version) => version.id === id) - 1]
    return [before?.id ?? end, end]
  }
  const start = await named(from)
  const isLatest = to === undefined && (await loadReference(access, start)).id === latest.id
  return isLatest ? [chain[0]?.id ?? start, start] : [start, end]
}
