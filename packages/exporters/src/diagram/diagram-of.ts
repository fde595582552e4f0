import {
  everyPage,
  isDeleted,
  type Minion,
  type MinionQuery,
  type MinionsAccess,
  type Relation,
  type RelationType,
  relationLabel,
} from '@minions/core'
import { callingBack, guarded } from '@minions/core/plugin'
import { isPromptBookkeeping, PromptChain } from '@minions/prompts'
import { relationsAmong } from '../relations.js'
import { chainDiagram } from './chain-diagram.js'
import type { Diagram, DiagramEdge } from './diagram.js'

/** What to draw: the version chain of a prompt, or minions with the relations between them. */
export type DiagramSubset =
  | { readonly chain: string }
  | {
      /** The minions with these ids; otherwise those that match the query, or all. */
      readonly ids?: readonly string[]
      readonly query?: Omit<MinionQuery, 'limit' | 'cursor'>
      /** Relations of these types only. */
      readonly relationTypes?: readonly RelationType[]
    }

/** Reads a part of a store as a diagram. */
export const diagramOf = guarded('diagramOf', diagramOfUnchecked, { checksInside: true })

async function diagramOfUnchecked(client: MinionsAccess, subset: DiagramSubset): Promise<Diagram> {
  if ('chain' in subset) {
    const versions = await new PromptChain(client).getVersionChain(subset.chain)
    const ids = versions.map(({ id }) => id)
    return chainDiagram(versions, await relationsAmong(client, ids, ['follows']))
  }
  const minions = await minionsOf(client, subset.ids, subset.query ?? {})
  const ids = minions.map(({ id }) => id)
  const relations = await relationsAmong(client, ids, subset.relationTypes)
  const drawn = relations.filter((relation) => !isPromptBookkeeping(relation))
  return minionsDiagram(minions, drawn, (typeId) => client.types.get(typeId)?.name ?? typeId)
}

/** Minions as boxes with title and type, relations as labelled arrows. */
export const minionsDiagram = guarded('minionsDiagram', minionsDiagramUnchecked)

function minionsDiagramUnchecked(
  minions: readonly Minion[],
  relations: readonly Relation[],
  typeName: (typeId: string) => string = (typeId) => typeId,
): Diagram {
  const nameOf = callingBack(typeName)
  const nodes = minions.map((minion) => ({
    id: minion.id,
    label: `${minion.title}\n${nameOf(minion.minionTypeId)}`,
    state: isDeleted(minion) ? 'deleted' : (minion.status ?? 'active'),
  }))
  const edges = relations.map(
    (relation): DiagramEdge => ({
      from: relation.sourceId,
      to: relation.targetId,
      label: relationLabel(relation) ?? relation.type,
    }),
  )
  return { nodes, edges }
}

async function minionsOf(
  client: MinionsAccess,
  ids: readonly string[] | undefined,
  query: Omit<MinionQuery, 'limit' | 'cursor'>,
): Promise<Minion[]> {
  const where = ids === undefined ? query.where : { and: [{ id: { in: ids } }, query.where ?? {}] }
  return everyPage((next) => client.find({ ...query, ...(where && { where }), limit: 10_000, ...next }))
}
