import type { Minion, MinionChange } from '@minions/core'
import type { StoreTransaction } from '@minions/core/storage'
import { promptInclusionsCollection } from '../lookup/collections.js'
import type { Inclusion } from '../lookup/prompt-lookup.js'
import type { TemplateNode } from '../template/ast.js'
import { compileTemplate } from '../template/compiled-template.js'
import { TemplateError } from '../template/template-error.js'
import { hasFragments } from './include-fragments.js'

/** The names that a prompt or version includes, without duplicates. */
export function inclusionsIn({ id, fields: { content } }: Minion): Inclusion[] {
  if (typeof content !== 'string' || !hasFragments(content)) return []
  try {
    const names = new Set<string>()
    collect(compileTemplate<string>(content).nodes, names)
    return [...names].map((name) => ({ ownerId: id, name }))
  } catch (error) {
    if (error instanceof TemplateError) return []
    throw error
  }
}

/** Updates the index after a change to a prompt or version. */
export async function followInclusions(
  { minionId, before, after }: Pick<MinionChange, 'minionId' | 'before' | 'after'>,
  tx: StoreTransaction,
): Promise<void> {
  const now = after ? inclusionsIn(after) : []
  const gone = (before ? inclusionsIn(before) : []).filter(({ name }) => !now.some((one) => one.name === name))
  await tx.deleteMany(
    promptInclusionsCollection,
    gone.map(({ name }) => [minionId, name]),
  )
  await tx.putMany(promptInclusionsCollection, now)
}

/** Records what prompts and versions include. */
export async function noteInclusions(tx: StoreTransaction, minions: readonly Minion[]): Promise<void> {
  await tx.putMany(promptInclusionsCollection, minions.flatMap(inclusionsIn))
}

function collect(nodes: readonly TemplateNode[], names: Set<string>): void {
  for (const node of nodes) {
    if (node.type === 'fragment') names.add(node.name)
    else if (node.type === 'if' || node.type === 'each') {
      collect(node.body, names)
      collect(node.otherwise ?? [], names)
    }
  }
}
