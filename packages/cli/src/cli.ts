import { once } from 'node:events'
import type { Command, StoreNeed } from './program/command.js'

/** Options that every command understands, anywhere on the command line. */
export interface GlobalOptions {
  readonly storage?: string
  readonly plugin?: readonly string[]
  readonly json?: boolean
  readonly yes?: boolean
  readonly debug?: boolean
  readonly verbose?: boolean
}

/** The context of a command: its options, its process, and what must be closed at the end. */
export class Cli {
  readonly env: NodeJS.ProcessEnv = process.env
  readonly stdin: NodeJS.ReadStream = process.stdin
  readonly stdout: NodeJS.WriteStream = process.stdout
  readonly stderr: NodeJS.WriteStream = process.stderr
  /** Set by commands that find problems without failing, such as `doctor`. */
  exitCode = 0
  /** Set by commands that run until stopped: Ctrl-C then only aborts `signal`, and they end on their own. */
  endsItself = false
  readonly #program: Command
  readonly #stop = new AbortController()
  readonly #cleanups = new Set<() => Promise<void>>()
  #command: Command | undefined
  #hint: string | undefined

  constructor(program: Command) {
    this.#program = program
    program.hook('preAction', (_program, command) => {
      this.#command = command as Command
    })
  }

  get options(): GlobalOptions {
    return this.#program.opts<GlobalOptions>()
  }

  /** What the running command needs of a store that does not exist. */
  get storeNeed(): StoreNeed {
    return this.#command?.storeNeed ?? 'existing'
  }

  get cwd(): string {
    return process.cwd()
  }

  /** Aborted by Ctrl-C. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Resolves when the process is told to stop. */
  async untilStopped(): Promise<void> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
  }

  /** True if input and output are a terminal, so that the user can be prompted. */
  get isInteractive(): boolean {
    return Boolean(this.stdin.isTTY && this.stderr.isTTY) && !this.options.json && !this.options.yes
  }

  /** True if results go to a terminal without colours being disabled, or if colours are forced. */
  get isColoured(): boolean {
    return hasColours(this.env, this.stdout)
  }

  /** The same for messages besides results. */
  get paintsErrors(): boolean {
    return hasColours(this.env, this.stderr)
  }

  get hint(): string | undefined {
    return this.#hint
  }

  /** Runs `work`; an interruption in the meantime says how to continue. */
  async hinting<T>(hint: string, work: () => Promise<T>): Promise<T> {
    this.#hint = hint
    try {
      return await work()
    } finally {
      if (!this.signal.aborted) this.#hint = undefined
    }
  }

  interrupt(): void {
    this.#stop.abort(new Error('interrupted'))
  }

  /** Runs `work` and then `cleanup`, even if the process is interrupted. */
  async guarded<T>(cleanup: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    this.#cleanups.add(cleanup)
    try {
      return await work()
    } finally {
      this.#cleanups.delete(cleanup)
      await cleanup()
    }
  }

  /** Ends everything in progress. */
  async cleanUp(): Promise<void> {
    await Promise.allSettled([...this.#cleanups].map((cleanup) => cleanup()))
  }
}

function hasColours({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv, stream: NodeJS.WriteStream): boolean {
  if (NO_COLOR) return false
  return Boolean(stream.isTTY) || (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0')
}
