import type { Cli } from '../cli.js'

/** Shows progress: one updating line at a terminal, and otherwise nothing until `done`. */
export class Progress {
  readonly #cli: Cli
  #shown = false

  constructor(cli: Cli) {
    this.#cli = cli
  }

  update(text: string): void {
    if (!this.#cli.stderr.isTTY || this.#cli.options.json) return
    this.#cli.stderr.write(`\r\u001b[2K${text}`)
    this.#shown = true
  }

  /** Ends the line with its final text. */
  done(text: string): void {
    if (this.#cli.options.json) return
    this.#cli.stderr.write(`${this.#shown ? '\r\u001b[2K' : ''}${text}\n`)
    this.#shown = false
  }
}
