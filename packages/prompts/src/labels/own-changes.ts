import type { Relation } from '@minions/core'
import type { ImportedRecords, MinionChange } from '@minions/core/plugin'
import type { StoreTransaction } from '@minions/core/storage'
import { namingIn } from '../names/namings.js'
import type { Dependency, LabelCache } from './label-cache.js'

/** Reports changes made by this process to caches, as soon as they are committed. */
export class OwnChanges {
  readonly #caches = new Set<LabelCache>()

  add(cache: LabelCache): void {
    this.#caches.add(cache)
  }

  remove(cache: LabelCache): void {
    this.#caches.delete(cache)
  }

  minion({ minionId }: MinionChange, tx: StoreTransaction): void {
    this.#forget(tx, [`minion ${minionId}`])
  }

  relation(relation: Relation, tx: StoreTransaction): void {
    const { sourceId, targetId } = relation
    const naming = namingIn(relation)
    this.#forget(tx, [`prompt ${sourceId}`, `prompt ${targetId}`, ...(naming ? [`name ${naming.name}` as const] : [])])
  }

  imported(_: ImportedRecords, tx: StoreTransaction): void {
    if (this.#caches.size > 0) tx.afterCommit(() => this.#each((cache) => cache.clear()))
  }

  #forget(tx: StoreTransaction, dependencies: readonly Dependency[]): void {
    if (this.#caches.size > 0) tx.afterCommit(() => this.#each((cache) => cache.forget(dependencies)))
  }

  #each(work: (cache: LabelCache) => void): void {
    for (const cache of this.#caches) work(cache)
  }
}
