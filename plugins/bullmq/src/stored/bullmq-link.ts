import type { StoreLink, WorkerEndpoint, WorkerLink } from '@minions/skills-runtime/jobs'
import { servedBy } from '@minions/skills-runtime/jobs'
import type { Engine, TicketOutcome, TicketWorker } from '../engine/engine.js'
import { queueName } from '../engine/names.js'

/** Milliseconds until a ticket for which a worker has no slot is offered again. */
const AGAIN = 50

/** A worker whose jobs are announced by BullMQ: one worker of BullMQ for each queue that it serves. */
export class BullmqLink implements WorkerLink {
  readonly #engine: Engine
  readonly #worker: WorkerEndpoint
  readonly #link: StoreLink
  readonly #workers = new Map<string, TicketWorker>()
  /** Of queues that it does not serve any more. */
  readonly #closing: Promise<void>[] = []
  #active = 0
  #isPaused = false
  #isDraining = false

  constructor(engine: Engine, worker: WorkerEndpoint, link: StoreLink) {
    this.#engine = engine
    this.#worker = worker
    this.#link = link
    this.#open()
  }

  get running(): number {
    return this.#link.running
  }

  refresh(): void {
    this.#link.refresh()
    this.#open()
  }

  async drain(milliseconds?: number): Promise<void> {
    this.#isDraining = true
    const workers = [...this.#workers.values()]
    this.#workers.clear()
    await Promise.all(workers.map((worker) => worker.pause()))
    await this.#link.drain(milliseconds)
    await Promise.all([...this.#closing, ...workers.map((worker) => worker.close())])
  }

  #open(): void {
    const { queues, tagKeys } = servedBy({ tags: this.#worker.tags, skills: this.#worker.skills() })
    const wanted = new Map(
      queues.flatMap((queue) => tagKeys.map((tagKey) => [queueName(queue, tagKey), { queue, tagKey }] as const)),
    )
    for (const [name, { queue, tagKey }] of wanted) {
      if (this.#workers.has(name) || this.#isDraining) continue
      const served = { queues: [queue], tagKeys: [tagKey] }
      const perform = () => this.#perform(served)
      this.#workers.set(name, this.#engine.work(name, Math.max(1, this.#worker.concurrency), perform))
    }
    for (const [name, worker] of this.#workers) {
      if (wanted.has(name)) continue
      this.#workers.delete(name)
      this.#closing.push(worker.close())
    }
  }

  async #perform(served: { readonly queues: string[]; readonly tagKeys: string[] }): Promise<TicketOutcome> {
    this.#active++
    this.#throttle()
    try {
      const outcome = await this.#link.deliver(served)
      if (outcome === 'full') return { againIn: AGAIN }
      return outcome === 'released' ? { againIn: 0 } : 'done'
    } finally {
      this.#active--
      this.#throttle()
    }
  }

  /** With several queues, a worker without a slot must fetch no tickets: others may have one. */
  #throttle(): void {
    if (this.#workers.size < 2 || this.#isDraining) return
    const isFull = this.#active >= this.#worker.concurrency
    if (isFull === this.#isPaused) return
    this.#isPaused = isFull
    for (const worker of this.#workers.values()) {
      if (isFull) void worker.pause().catch(() => {})
      else worker.resume()
    }
  }
}
