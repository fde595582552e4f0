import { getOrInsert } from '@minions/core/json'
import type { Answer } from './frame.js'

interface Peer {
  /** Answers by number; undefined while a request is being processed. */
  readonly answers: Map<number, Answer | undefined>
  /** When its last message expires, by the clock of Redis: until then it may be resent. */
  until: number
}

/** The requests that this member has received, so that a resent one is only answered again. */
export class SeenRequests {
  readonly #peers = new Map<string, Peer>()

  /** Records a request. `again`: it is a duplicate, with its answer if there is one. */
  note(from: string, seq: number, low: number, until: number): { again: boolean; answer?: Answer | undefined } {
    const peer = getOrInsert(this.#peers, from, () => ({ answers: new Map(), until: 0 }))
    peer.until = Math.max(peer.until, until)
    if (peer.answers.has(seq)) return { again: true, answer: peer.answers.get(seq) }
    // Lower numbers were answered, and their sender has the answer.
    for (const known of peer.answers.keys()) {
      if (known >= low) break
      peer.answers.delete(known)
    }
    peer.answers.set(seq, undefined)
    return { again: false }
  }

  answer(from: string, seq: number, answer: Answer): void {
    const answers = this.#peers.get(from)?.answers
    if (answers?.has(seq)) answers.set(seq, answer)
  }

  /** Drops members that are gone and have nothing left to resend. */
  forgetGone(members: ReadonlyMap<string, string>, now: number): void {
    for (const [id, { until }] of this.#peers) if (!members.has(id) && until < now) this.#peers.delete(id)
  }
}
