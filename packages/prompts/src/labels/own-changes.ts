import type { Relation } from '@minions/core'
import type { MinionChange } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { namingIn } from '../names/namings.js'
import type { Dependency, LabelCache } from './label-cache.js'

/** Reports changes made by this process to caches, as soon as they are committed. */
export class OwnChanges {
  /** By the API that they were started with. */
  readonly caches = new Map<object, LabelCache>()

  minion({ minionId }: MinionChange, tx: StoreTransaction): void {
    this.#report(tx, (cache) => cache.forget([`minion ${minionId}`]))
  }

  relation(relation: Relation, tx: StoreTransaction): void {
    const { sourceId, targetId } = relation
    const dependencies: Dependency[] = [`prompt ${sourceId}`, `prompt ${targetId}`]
    const naming = namingIn(relation)
    if (naming) dependencies.push(`name ${naming.name}`)
    this.#report(tx, (cache) => cache.forget(dependencies))
  }

  imported(tx: StoreTransaction): void {
    this.#report(tx, (cache) => cache.clear())
  }

  #report(tx: StoreTransaction, report: (cache: LabelCache) => void): void {
    if (this.caches.size > 0) tx.afterCommit(() => this.caches.forEach(report))
  }
}
