import type { Minion } from '@minions/core'
import type { MinionChange } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { type Inclusion, promptInclusionsCollection } from '../lookup/collections.js'
import { replaceEntries } from '../lookup/replace-entries.js'
import { type FragmentNode, visitNodes } from '../template/ast.js'
import { compileTemplate } from '../template/compiled-template.js'
import { TemplateError } from '../template/template-error.js'
import { hasFragments } from './include-fragments.js'

/** The names that a prompt or version includes, without duplicates. */
export function inclusionsIn({ id, fields: { content } }: Minion): Inclusion[] {
  const names = new Set(fragmentsIn(content).map(({ name }) => name))
  return [...names].map((name) => ({ ownerId: id, name }))
}

/** The tags of a template that include other prompts; none in one that is malformed. */
export function fragmentsIn(content: unknown): FragmentNode[] {
  if (typeof content !== 'string' || !hasFragments(content)) return []
  try {
    const fragments: FragmentNode[] = []
    visitNodes(compileTemplate<string>(content).nodes, (node) => {
      if (node.type === 'fragment') fragments.push(node)
    })
    return fragments
  } catch (error) {
    if (error instanceof TemplateError) return []
    throw error
  }
}

/** Updates the index after a change to a prompt or version. */
export async function followInclusions(
  { before, after }: Pick<MinionChange, 'before' | 'after'>,
  tx: StoreTransaction,
): Promise<void> {
  const now = after ? inclusionsIn(after) : []
  const gone = (before ? inclusionsIn(before) : []).filter(({ name }) => !now.some((one) => one.name === name))
  await replaceEntries(tx, promptInclusionsCollection, gone, now)
}

/** Records what prompts and versions include. */
export async function noteInclusions(tx: StoreTransaction, minions: readonly Minion[]): Promise<void> {
  await tx.putMany(promptInclusionsCollection, minions.flatMap(inclusionsIn))
}
