import type { Need, Scheduler, Waiter } from './scheduler.js'

/** The capacity that a run holds. While the run is paused, all of it is given back. */
export class HeldCapacity {
  readonly #scheduler: Scheduler
  readonly #held: Need[] = []
  #reserved: Need | undefined
  #suspended = false

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Takes over the capacity for a subagent and its first skill, which was acquired together. */
  takeOver(skill: string): void {
    this.#reserved = { agent: false, skill }
    this.#held.push({ agent: true, skill: '' }, this.#reserved)
  }

  /** The capacity for a skill that was taken over and is not used yet. */
  claim(skill: string): Need | undefined {
    const reserved = this.#reserved
    if (reserved?.skill !== skill) return undefined
    this.#reserved = undefined
    return reserved
  }

  async acquire(need: Need, waiter: Waiter): Promise<Need> {
    await this.#scheduler.acquire(need, waiter)
    this.#held.push(need)
    return need
  }

  release(need: Need): void {
    const index = this.#held.indexOf(need)
    if (index < 0) return
    this.#held.splice(index, 1)
    if (!this.#suspended) this.#scheduler.release(need)
  }

  releaseAll(): void {
    for (const need of [...this.#held]) this.release(need)
  }

  suspend(): void {
    if (this.#suspended) return
    this.#suspended = true
    for (const need of this.#held) this.#scheduler.release(need)
  }

  /** Takes everything again, in the order in which it was taken at first. */
  async restore(waiter: Waiter): Promise<void> {
    const taken: Need[] = []
    try {
      for (const { agent, skill } of this.#held) {
        const need = { agent, skill }
        await this.#scheduler.acquire(need, waiter)
        taken.push(need)
      }
      this.#suspended = false
    } catch (error) {
      for (const need of taken) this.#scheduler.release(need)
      throw error
    }
  }
}
