import { type Static, Type } from 'typebox'
import { guarded } from '../../errors/guard.js'
import { MinionSchema } from '../../schemas/minion.js'
import type { MinionsAccess } from '../minions-access.js'
import { everyPage } from '../objects/every-page.js'
import { existing } from '../objects/existing.js'

/** A minion with all its descendants. */
export const MinionTreeSchema = Type.Cyclic(
  { MinionTree: Type.Object({ minion: MinionSchema, children: Type.Array(Type.Ref('MinionTree')) }) },
  'MinionTree',
)

export type MinionTree = Static<typeof MinionTreeSchema>

/**
 * A minion with its children by `parent_of`, their children, and so on, in the order in which they were linked. A
 * minion reached again is listed without children, so cycles terminate. Throws `NOT_FOUND`.
 */
export const minionTree = guarded('minionTree', async (client: MinionsAccess, id: string): Promise<MinionTree> => {
  const root: MinionTree = { minion: await existing(client, id), children: [] }
  const minions = new Map([root.minion, ...(await client.descendants(id))].map((minion) => [minion.id, minion]))
  const query = { sourceIds: [...minions.keys()], types: ['parent_of'], limit: 100_000 } as const
  const childIds = new Map<string, Set<string>>()
  for (const { sourceId, targetId } of await everyPage((next) => client.findRelations({ ...query, ...next }))) {
    if (targetId !== sourceId) childIds.set(sourceId, (childIds.get(sourceId) ?? new Set()).add(targetId))
  }
  // An explicit stack: trees may be deeper than the call stack.
  const stack = [root]
  const opened = new Set<string>()
  for (let tree = stack.pop(); tree; tree = stack.pop()) {
    if (opened.has(tree.minion.id)) continue
    opened.add(tree.minion.id)
    for (const childId of childIds.get(tree.minion.id) ?? []) {
      const minion = minions.get(childId)
      if (minion) tree.children.push({ minion, children: [] })
    }
    for (const child of tree.children.toReversed()) stack.push(child)
  }
  return root
})
