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
  /** Those of `live` that no other one follows, directly or across deleted ones. */
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
  const ready = new ReadyList()
  for (const minion of minions.values()) if (!waitingFor.has(minion.id)) ready.add(minion)
  const all: PromptMinion[] = []
  for (let next = ready.take(); next !== undefined; next = ready.take()) {
    all.push(next)
    for (const id of followers.get(next.id) ?? []) {
      const remaining = (waitingFor.get(id) ?? 0) - 1
      waitingFor.set(id, remaining)
      if (remaining === 0) ready.add(minions.get(id) as PromptMinion)
    }
  }
  if (all.length < minions.size) throw cycle(follows)
  const live = all.filter((minion) => !isDeleted(minion))
  return { all, live, leaves: leavesOf(all, followers) }
}

function leavesOf(all: readonly PromptMinion[], followers: ReadonlyMap<string, readonly string[]>): PromptMinion[] {
  const leaves: PromptMinion[] = []
  /** Ids that are, or are followed by, a live minion. */
  const leadsToLive = new Set<string>()
  for (const minion of all.toReversed()) {
    const isFollowed = followers.get(minion.id)?.some((id) => leadsToLive.has(id)) ?? false
    if (isFollowed || !isDeleted(minion)) leadsToLive.add(minion.id)
    if (!isFollowed && !isDeleted(minion)) leaves.push(minion)
  }
  return leaves.reverse()
}

/** Candidates for the next position, kept sorted. It holds one minion per open branch, so it is short. */
class ReadyList {
  /** Youngest first, so that the next one is taken from the end. */
  readonly #minions: PromptMinion[] = []

  add(minion: PromptMinion): void {
    let low = 0
    let high = this.#minions.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareAge(this.#minions[middle] as PromptMinion, minion) > 0) low = middle + 1
      else high = middle
    }
    this.#minions.splice(low, 0, minion)
  }

  take(): PromptMinion | undefined {
    return this.#minions.pop()
  }
}

function cycle(follows: readonly Relation[]): Error {
  const graph = new RelationGraph()
  for (const relation of follows) graph.add(relation)
  const [path = []] = graph.findCycles('follows')
  return coreError('CYCLE', `Versions follow each other in a cycle: ${[...path, path[0]].join(' → ')}.`, {
    details: { type: 'follows', path: [...path, ...path.slice(0, 1)] },
  })
}
