import type { AggregationPacket } from '../schemas/aggregation-packet.js'
import type { ReviewPacket } from '../schemas/review-packet.js'
import { byCreation, instantOf, latestUpTo } from './time.js'

/** Maps reviews to aggregation packets: those named by `parent_refs`, else the latest before the review. */
export class ReviewTargets {
  readonly #packets: Map<string, AggregationPacket>
  readonly #reviews: ReviewPacket[]
  #timeline: readonly AggregationPacket[] | undefined
  #firstReviews: ReadonlyMap<string, ReviewPacket> | undefined

  /** Starts empty, or as a copy of another. */
  constructor(base?: ReviewTargets) {
    this.#packets = new Map(base ? base.#packets : [])
    this.#reviews = base ? [...base.#reviews] : []
  }

  addPacket(packet: AggregationPacket): void {
    this.#packets.set(packet.packet_id, packet)
    this.#timeline = undefined
    this.#firstReviews = undefined
  }

  addReview(review: ReviewPacket): void {
    this.#reviews.push(review)
    this.#firstReviews = undefined
  }

  /** The ids of the reviewed packets; empty when there are none. */
  targetsOf(review: ReviewPacket): string[] {
    const named = new Set(review.parent_refs?.filter((ref) => this.#packets.has(ref)))
    if (named.size > 0) return [...named]
    const latest = this.#latestBefore(instantOf(review.created_at))
    return latest ? [latest.packet_id] : []
  }

  firstReviewOf(packetId: string): ReviewPacket | undefined {
    this.#firstReviews ??= this.#findFirstReviews()
    return this.#firstReviews.get(packetId)
  }

  #findFirstReviews(): ReadonlyMap<string, ReviewPacket> {
    const first = new Map<string, ReviewPacket>()
    for (const review of byCreation(this.#reviews)) {
      for (const target of this.targetsOf(review)) if (!first.has(target)) first.set(target, review)
    }
    return first
  }

  #latestBefore(time: number): AggregationPacket | undefined {
    this.#timeline ??= byCreation([...this.#packets.values()])
    return latestUpTo(this.#timeline, ({ created_at }) => instantOf(created_at), time)
  }
}
