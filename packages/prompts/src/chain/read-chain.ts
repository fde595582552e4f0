import type { Relation, RelationType } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import type { ChainContent } from './arrange-chain.js'
import type { ChainReader } from './chain-reader.js'
import type { PromptMinion } from './prompt-minion.js'

/**
 * Reads everything that `follows` relations connect with a prompt or version, in either direction. Versions that this
 * package wrote are `part_of` their prompt, which finds all of them at once; others are found level by level. With
 * `members`, the complete list of candidates, neither is needed.
 */
export async function readChain(
  reader: ChainReader,
  start: PromptMinion,
  members?: readonly PromptMinion[],
): Promise<ChainContent> {
  const minions = new Map<string, PromptMinion>([start, ...(members ?? [])].map((minion) => [minion.id, minion]))
  const follows = new Map<string, Relation>()
  /** Members of a prompt whose parts were already queried. */
  const listed = new Set(members && minions.keys())
  const seen = new Set(minions.keys())
  let frontier: readonly string[] = [...seen]
  while (frontier.length > 0) {
    const ends = new Set<string>()
    const note = (relation: Relation) => {
      for (const end of [relation.sourceId, relation.targetId]) if (!seen.has(end)) ends.add(end)
    }
    for (const relation of await relationsAround(reader, frontier, 'follows')) {
      if (relation.sourceId === relation.targetId) continue
      follows.set(relation.id, relation)
      note(relation)
    }
    const unlisted = frontier.filter((member) => !listed.has(member))
    for (const relation of await relationsAround(reader, unlisted, 'part_of')) {
      if (seen.has(relation.targetId)) listed.add(relation.sourceId)
      note(relation)
    }
    for (const end of ends) seen.add(end)
    const found = await reader.prompts([...ends])
    for (const minion of found) minions.set(minion.id, minion)
    frontier = found.map((minion) => minion.id)
  }
  return connectedTo(start.id, minions, [...follows.values()])
}

async function relationsAround(reader: ChainReader, ids: readonly string[], type: RelationType): Promise<Relation[]> {
  const outgoing = await reader.relations('sourceIds', ids, [type])
  return outgoing.concat(await reader.relations('targetIds', ids, [type]))
}

/** Being part of a prompt helps to find a version, but only `follows` makes it belong to the chain. */
function connectedTo(
  id: string,
  minions: ReadonlyMap<string, PromptMinion>,
  relations: readonly Relation[],
): ChainContent {
  const follows = relations.filter(({ sourceId, targetId }) => minions.has(sourceId) && minions.has(targetId))
  const neighbours = new Map<string, string[]>()
  const note = (from: string, to: string) => {
    getOrInsert(neighbours, from, () => []).push(to)
  }
  for (const { sourceId, targetId } of follows) {
    note(sourceId, targetId)
    note(targetId, sourceId)
  }
  const reached = new Map<string, PromptMinion>()
  const waiting = [id]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.set(next, minions.get(next) as PromptMinion)
    for (const neighbour of neighbours.get(next) ?? []) waiting.push(neighbour)
  }
  return { minions: reached, follows: follows.filter(({ sourceId }) => reached.has(sourceId)) }
}
