import type { By, MinionsAccess, Relation } from '@minions/core'
import { compareCodePoints, isRecord } from '@minions/core/json'
import type { ChainReader } from '../chain/chain-reader.js'
import { sortableTime } from '../chain/compare-age.js'
import { isPromptName } from './prompt-name.js'

/**
 * A name is stored as a `references` relation from the prompt to itself. Its metadata counts the names of the prompt;
 * the last one is current.
 */
interface NamingMetadata {
  readonly name: string
  readonly naming: number
}

/** A name given to a prompt, and its ordinal among the prompt's names. */
export interface Naming extends NamingMetadata {
  readonly promptId: string
  /** Time, as a string that sorts by instant. */
  readonly since: string
}

/** The name that a relation records for a prompt; undefined if it records none. */
export function namingIn({ type, sourceId, targetId, metadata, createdAt }: Relation): Naming | undefined {
  if (type !== 'references' || sourceId !== targetId || !isRecord(metadata)) return undefined
  const { name, naming } = metadata as Partial<NamingMetadata>
  return isPromptName(name) && Number.isSafeInteger(naming)
    ? { promptId: sourceId, name, naming: naming as number, since: sortableTime(createdAt) }
    : undefined
}

/** The names of prompts by id, the current one last. */
export async function namingsOf(reader: ChainReader, promptIds: readonly string[]): Promise<Map<string, Naming[]>> {
  const byPrompt = new Map<string, Naming[]>(promptIds.map((id) => [id, []]))
  const relations = await reader.relations('sourceIds', promptIds, ['references'])
  const inOrder = relations.flatMap((relation) => namingIn(relation) ?? [])
  inOrder.sort((a, b) => a.naming - b.naming || compareCodePoints(a.since, b.since))
  for (const naming of inOrder) byPrompt.get(naming.promptId)?.push(naming)
  return byPrompt
}

export async function remember(
  client: MinionsAccess,
  { promptId, name, naming }: Omit<Naming, 'since'>,
  by: By,
): Promise<void> {
  const metadata: NamingMetadata = { name, naming }
  await client.link({ sourceId: promptId, targetId: promptId, type: 'references', metadata: { ...metadata } }, by)
}

/** A claim to a name: the prompt has or had it. */
interface Claim {
  readonly promptId: string
  readonly since: string
  readonly former: boolean
}

/** The prompt that a name refers to: the one that has it, or else the one that had it last. */
export function holderAmong(claims: readonly Claim[]): { promptId: string; former: boolean } | undefined {
  const [first] = claims.toSorted(
    (a, b) =>
      Number(a.former) - Number(b.former) ||
      compareCodePoints(b.since, a.since) ||
      compareCodePoints(a.promptId, b.promptId),
  )
  return first && { promptId: first.promptId, former: first.former }
}
