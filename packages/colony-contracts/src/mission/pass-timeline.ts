import type { LibrarianPass } from '../schemas/librarian-pass.js'
import { byCreation, instantOf, latestUpTo } from './time.js'

/** The passes of one task over time; tells whether all issued by some moment had expired by then. */
export class PassTimeline {
  readonly #passes: LibrarianPass[]
  #steps: { readonly from: number; readonly expires: number }[] | undefined

  constructor(passes: readonly LibrarianPass[] = []) {
    this.#passes = [...passes]
  }

  get passes(): readonly LibrarianPass[] {
    return this.#passes
  }

  add(pass: LibrarianPass): void {
    this.#passes.push(pass)
    this.#steps = undefined
  }

  /** False when no pass had been issued yet: having none is not the same as using an expired one. */
  hadExpiredAt(time: number): boolean {
    this.#steps ??= stepsOf(this.#passes)
    const step = latestUpTo(this.#steps, ({ from }) => from, time)
    return step !== undefined && step.expires <= time
  }
}

/** In order of issue, each with the latest expiry of all passes so far. */
function stepsOf(passes: readonly LibrarianPass[]) {
  let latest = Number.NEGATIVE_INFINITY
  return byCreation(passes).map((pass) => {
    latest = Math.max(latest, instantOf(pass.expires_at))
    return { from: instantOf(pass.created_at), expires: latest }
  })
}
