import type { Need, Scheduler, Waiter } from './scheduler.js'

const AGENT: Need = { agent: true, skill: '' }

/** The capacity that a run holds. While the run is paused, or waits for a person, all of it is released. */
export class HeldCapacity {
  readonly #scheduler: Scheduler
  #held: Need[] = []
  #reserved: Need | undefined
  #suspensions = 0

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
  }

  /** Takes over the capacity for a subagent and its first skill, which was acquired together. */
  takeOver(skill: string): void {
    this.#reserved = { agent: false, skill }
    this.#held = [AGENT, this.#reserved]
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
    const index = this.#held.lastIndexOf(need)
    if (index < 0) return
    if (index === this.#held.length - 1) this.#held.pop()
    else this.#held.splice(index, 1)
    if (this.#suspensions === 0) this.#scheduler.release(need)
  }

  releaseAll(): void {
    const held = this.#held
    this.#held = []
    if (this.#suspensions === 0) for (const need of held) this.#scheduler.release(need)
  }

  suspend(): void {
    this.#suspensions += 1
    if (this.#suspensions === 1) for (const need of this.#held) this.#scheduler.release(need)
  }

  /** Takes everything again, in the order in which it was taken at first, unless another suspension lasts. */
  async restore(waiter: Waiter): Promise<void> {
    const taken = new Map<Need, Need>()
    try {
      if (this.#suspensions === 1) {
        for (const held of [...this.#held]) {
          const need = { agent: held.agent, skill: held.skill }
          await this.#scheduler.acquire(need, waiter)
          taken.set(held, need)
        }
      }
    } catch (error) {
      for (const need of taken.values()) this.#scheduler.release(need)
      throw error
    }
    this.#suspensions -= 1
    // Meanwhile it may have been suspended again, or have ended.
    for (const [held, need] of taken) {
      if (this.#suspensions > 0 || !this.#held.includes(held)) this.#scheduler.release(need)
    }
  }
}
