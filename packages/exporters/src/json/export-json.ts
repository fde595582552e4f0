import {
  everyPage,
  type Minion,
  type MinionsAccess,
  type MinionType,
  type Relation,
  type RelationType,
} from '@minions/core'
import { compareCodePoints } from '@minions/core/json'
import { PromptChain, promptResultType, promptTestType, promptVariableType } from '@minions/prompts'
import { relationsAmong, relationsAt } from '../relations.js'
import type { PromptDocument } from './prompt-document.js'

/**
 * Everything that belongs to a prompt: its versions, variables, tests and results, including deleted ones, and all
 * relations between them. The output is deterministic.
 */
export async function exportDocument(client: MinionsAccess, id: string): Promise<PromptDocument> {
  const chain = new PromptChain(client)
  const root = await chain.getRoot(id)
  const prompts = await chain.getVersionChain(id, { includeDeleted: true, asStored: true })
  const promptIds = prompts.map((minion) => minion.id)
  const parts = await sources(client, promptIds, 'part_of', [promptVariableType, promptTestType])
  const tests = parts.filter((minion) => minion.minionTypeId === promptTestType.id)
  const tested = [...promptIds, ...tests.map((test) => test.id)]
  const results = await sources(client, tested, 'references', [promptResultType])
  const all = [...prompts, ...parts, ...results].map((minion) => minion.id)
  return {
    format: 'minions-prompt',
    version: 1,
    prompt: root,
    versions: prompts.filter((minion) => minion.id !== root.id),
    variables: parts.filter((minion) => minion.minionTypeId === promptVariableType.id),
    tests,
    results,
    relations: (await relationsAmong(client, all)).sort(byAge),
  }
}

/** Minions of some types that are sources of relations of one type, oldest first. */
async function sources(
  client: MinionsAccess,
  targetIds: readonly string[],
  relationType: RelationType,
  types: readonly MinionType[],
): Promise<Minion[]> {
  const relations = await relationsAt(client, 'targetIds', targetIds, [relationType])
  const ids = [...new Set(relations.map(({ sourceId }) => sourceId))]
  if (ids.length === 0) return []
  const where = { id: { in: ids }, minionTypeId: { in: types.map((type) => type.id) } }
  return everyPage((next) => client.find({ where, includeDeleted: true, limit: 100_000, ...next }))
}

function byAge(a: Relation, b: Relation): number {
  return compareCodePoints(a.createdAt, b.createdAt) || compareCodePoints(a.id, b.id)
}
