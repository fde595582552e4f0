import { coreError } from '@minions/core'
import type { ChainReader } from './chain-reader.js'
import { compareTimes, numberOf } from './compare-age.js'
import { isTemplate, type PromptMinion } from './prompt-minion.js'

/** The id of the prompt that a version belongs to: where its chain begins. */
export async function findRootId(reader: ChainReader, minion: PromptMinion): Promise<string> {
  if (isTemplate(minion)) return minion.id
  const partOf = await reader.relations('sourceIds', [minion.id], ['part_of'])
  const [template] = (await reader.prompts(partOf.map(({ targetId }) => targetId))).filter(isTemplate)
  if (template) return template.id
  let root: PromptMinion = minion
  for await (const ancestor of ancestors(reader, minion)) root = ancestor
  return root.id
}

/** The number of a version; for one created without a number, counts the steps to one that has it. */
export async function versionNumberOf(reader: ChainReader, minion: PromptMinion): Promise<number> {
  if (isNumbered(minion)) return numberOf(minion)
  let steps = 1
  for await (const ancestor of ancestors(reader, minion)) {
    if (isNumbered(ancestor)) return numberOf(ancestor) + steps
    steps += 1
  }
  return steps
}

/** The ancestors of a version; of several parents, the one linked first. Throws `CYCLE`. */
export async function* ancestors(reader: ChainReader, minion: PromptMinion): AsyncGenerator<PromptMinion> {
  const path = new Set([minion.id])
  for (let parent = await parentOf(reader, minion.id); parent; parent = await parentOf(reader, parent.id)) {
    if (path.has(parent.id)) {
      throw coreError('CYCLE', `Versions follow each other in a cycle: ${[...path, parent.id].join(' → ')}.`, {
        details: { type: 'follows', path: [...path, parent.id] },
      })
    }
    path.add(parent.id)
    yield parent
  }
}

async function parentOf(reader: ChainReader, id: string): Promise<PromptMinion | undefined> {
  const follows = (await reader.relations('sourceIds', [id], ['follows']))
    .filter(({ targetId }) => targetId !== id)
    .sort((a, b) => compareTimes(a.createdAt, b.createdAt))
  const parents = await reader.prompts(follows.map(({ targetId }) => targetId))
  for (const { targetId } of follows) {
    const parent = parents.find((candidate) => candidate.id === targetId)
    if (parent) return parent
  }
  return undefined
}

export function isNumbered(minion: PromptMinion): boolean {
  return isTemplate(minion) || minion.fields.versionNumber !== undefined
}
