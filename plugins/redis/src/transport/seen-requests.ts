import type { Answer } from './frame.js'

interface Peer {
  /** Answers by number; undefined while a request is being dealt with. */
  readonly answers: Map<number, Answer | undefined>
  /** When its last message ends, by the clock of Redis: until then it may be sent again. */
  until: number
}

/** The requests of other members that this one has had, so that one which is sent again is answered again and no more. */
export class SeenRequests {
  readonly #peers = new Map<string, Peer>()

  /** Notes a request. `again`: it was there before, with its answer if it has one. */
  note(from: string, seq: number, low: number, until: number): { again: boolean; answer?: Answer | undefined } {
    let peer = this.#peers.get(from)
    if (peer === undefined) {
      peer = { answers: new Map(), until: 0 }
      this.#peers.set(from, peer)
    }
    peer.until = Math.max(peer.until, until)
    if (peer.answers.has(seq)) return { again: true, answer: peer.answers.get(seq) }
    // Numbers below were answered, and their sender knows.
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

  /** Forgets members that are gone and have nothing that could be sent again. */
  forgetGone(members: ReadonlyMap<string, string>, now: number): void {
    for (const [id, { until }] of this.#peers) if (!members.has(id) && until < now) this.#peers.delete(id)
  }
}
