import { coreError, isDeleted, type Relation, RelationGraph } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import { compareAge } from './compare-age.js'
import type { PromptMinion } from './prompt-minion.js'

/** The minions of a chain and the `follows` relations between them, none from a minion to itself. */
export interface ChainContent {
  readonly minions: ReadonlyMap<string, PromptMinion>
  readonly follows: readonly Relation[]
}

export interface ArrangedChain {
  /** Parents before children, otherwise older ones first; deleted ones included. */
  readonly all: readonly PromptMinion[]
  /** The same without deleted ones. */
  readonly live: readonly PromptMinion[]
  /** Ids that one of `live` follows, directly or across deleted ones. */
  readonly followed: ReadonlySet<string>
  /** Those of `live` that are not followed. */
  readonly leaves: readonly PromptMinion[]
}

/** Orders a chain. Throws `CYCLE`. */
export function arrangeChain({ minions, follows }: ChainContent): ArrangedChain {
  const followers = new Map<string, string[]>()
  const waitingFor = new Map<string, number>()
  for (const { sourceId, targetId } of follows) {
    getOrInsert(followers, targetId, () => []).push(sourceId)
    waitingFor.set(sourceId, (waitingFor.get(sourceId) ?? 0) + 1)
  }
  const ready: PromptMinion[] = []
  for (const minion of minions.values()) if (!waitingFor.has(minion.id)) insert(ready, minion)
  const all: PromptMinion[] = []
  for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
    all.push(next)
    for (const id of followers.get(next.id) ?? []) {
      const remaining = (waitingFor.get(id) ?? 0) - 1
      waitingFor.set(id, remaining)
      if (remaining === 0) insert(ready, minions.get(id) as PromptMinion)
    }
  }
  if (all.length < minions.size) throw cycle(follows)
  const live = all.filter((minion) => !isDeleted(minion))
  const leading = new Set(live.map(({ id }) => id))
  const followed = new Set<string>()
  for (const { id } of all.toReversed()) {
    if (!followers.get(id)?.some((follower) => leading.has(follower))) continue
    leading.add(id)
    followed.add(id)
  }
  return { all, live, followed, leaves: live.filter(({ id }) => !followed.has(id)) }
}

/** Adds to a list that begins with the youngest. It holds one minion per open branch, so it is short. */
function insert(minions: PromptMinion[], minion: PromptMinion): void {
  let low = 0
  let high = minions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareAge(minions[middle] as PromptMinion, minion) > 0) low = middle + 1
    else high = middle
  }
  minions.splice(low, 0, minion)
}

function cycle(follows: readonly Relation[]): Error {
  const graph = new RelationGraph()
  for (const relation of follows) graph.add(relation)
  const [path = []] = graph.findCycles('follows')
  return coreError('CYCLE', `Versions follow each other in a cycle: ${[...path, path[0]].join(' → ')}.`, {
    details: { type: 'follows', path: [...path, ...path.slice(0, 1)] },
  })
}
