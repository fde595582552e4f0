import { type StoreLink, servedBy, type WorkerEndpoint, type WorkerLink } from '@minions/skills-runtime/jobs'
import type { BullmqEngine, TicketWorker } from '../engine/bullmq-engine.js'
import { queueName } from '../engine/names.js'
import type { TicketOffice } from './ticket-office.js'

/** A worker whose jobs are announced by BullMQ: one worker of BullMQ for each queue that it serves. */
export class BullmqLink implements WorkerLink {
  readonly #engine: BullmqEngine
  readonly #tickets: TicketOffice
  readonly #worker: WorkerEndpoint
  readonly #link: StoreLink
  readonly #workers = new Map<string, TicketWorker>()
  /** Workers of queues that it no longer serves. */
  readonly #closing: Promise<void>[] = []
  #isDraining = false

  constructor(engine: BullmqEngine, tickets: TicketOffice, worker: WorkerEndpoint, link: StoreLink) {
    this.#engine = engine
    this.#tickets = tickets
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
    const wanted = new Set(queues.flatMap((queue) => tagKeys.map((tagKey) => queueName(queue, tagKey))))
    for (const name of wanted) {
      if (this.#workers.has(name) || this.#isDraining) continue
      this.#workers.set(
        name,
        this.#engine.work(name, () => this.#ring(name)),
      )
    }
    for (const [name, worker] of this.#workers) {
      if (wanted.has(name)) continue
      this.#workers.delete(name)
      this.#closing.push(worker.close())
    }
  }

  /**
   * A worker without a slot passes the ticket on, and keeps its own until it has one, so that it fetches no more in the
   * meantime.
   */
  async #ring(queue: string): Promise<void> {
    if (!(await this.#link.ring())) return
    this.#tickets.add(queue)
    await this.#link.whenFree()
  }
}
