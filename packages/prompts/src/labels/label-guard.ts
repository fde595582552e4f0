import type { MinionsAccess } from '@minions/core'
import { extensionPoint } from '@minions/core/plugin'
import type { LabelState } from './label-state.js'

/** A label that is about to be moved. */
export interface LabelChange {
  readonly promptId: string
  readonly label: string
  /** Its current target; undefined if it was never set. */
  readonly before: LabelState | undefined
  /** Its new target; nothing if it is to be removed. */
  readonly targets: LabelState['targets']
  readonly by: string | undefined
  readonly reason: string | undefined
}

/** Is consulted before labels are moved. */
export interface LabelGuard {
  readonly name: string
  /**
   * Throws to refuse. Runs inside the transaction of the move, possibly more than once, and must only read and write
   * there.
   */
  check(change: LabelChange, tx: MinionsAccess): void | Promise<void>
}

/** Extension point for plugins that are consulted before labels are moved, for example to require approval. */
export const labelGuards = extensionPoint<LabelGuard>('@minions/prompts/label-guards', {
  key: ({ name }) => name,
  check: (value) => {
    const { name, check } = (value ?? {}) as Partial<LabelGuard>
    if (typeof name === 'string' && name !== '' && typeof check === 'function') return undefined
    return 'a label guard needs a `name` and a function `check`'
  },
})
