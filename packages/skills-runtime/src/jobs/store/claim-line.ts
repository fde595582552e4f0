import type { Revised } from '@minions/core/storage'
import type { Job } from '../job/job-schema.js'

interface Asking {
  readonly resolve: (job: Revised<Job> | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Claims jobs one by one for many callers: those that come while a claim is under way share the next one. */
export class ClaimLine {
  readonly #claim: (limit: number) => Promise<readonly Revised<Job>[]>
  #asking: Asking[] = []
  #isClaiming = false

  constructor(claim: (limit: number) => Promise<readonly Revised<Job>[]>) {
    this.#claim = claim
  }

  /** The next job; undefined when there is none for this caller. */
  next(): Promise<Revised<Job> | undefined> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ resolve, reject })
      if (!this.#isClaiming) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isClaiming = true
    // Callers of one turn of the event loop come together.
    await Promise.resolve()
    while (this.#asking.length > 0) {
      const asking = this.#asking.splice(0)
      try {
        const jobs = await this.#claim(asking.length)
        for (const [index, { resolve }] of asking.entries()) resolve(jobs[index])
      } catch (error) {
        for (const { reject } of asking) reject(error)
      }
    }
    this.#isClaiming = false
  }
}
