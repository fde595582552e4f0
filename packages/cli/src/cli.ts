import type { Command } from 'commander'
import { type StoreNeed, storeNeedOf } from './store/store-need.js'

/** What every command understands, wherever it stands on the command line. */
export interface GlobalOptions {
  readonly storage?: string
  readonly plugin?: readonly string[]
  readonly json?: boolean
  readonly yes?: boolean
  readonly debug?: boolean
  readonly verbose?: boolean
}

/** What a command works with: the options of the command line, the process around it, and what must be closed at the end. */
export class Cli {
  readonly env: NodeJS.ProcessEnv = process.env
  readonly stdin: NodeJS.ReadStream = process.stdin
  readonly stdout: NodeJS.WriteStream = process.stdout
  readonly stderr: NodeJS.WriteStream = process.stderr
  /** Commands that found something wrong without failing set this, such as `doctor`. */
  exitCode = 0
  /** Commands that run until they are stopped set this: Ctrl-C then only aborts `signal`, and they end by themselves. */
  endsItself = false
  readonly #program: Command
  readonly #stop = new AbortController()
  readonly #cleanups = new Set<() => Promise<void>>()
  #command: Command | undefined
  #hint: string | undefined

  constructor(program: Command) {
    this.#program = program
    program.hook('preAction', (_program, command) => {
      this.#command = command
    })
  }

  get options(): GlobalOptions {
    return this.#program.opts<GlobalOptions>()
  }

  /** What the command that runs wants of a store that does not exist. */
  get storeNeed(): StoreNeed {
    return storeNeedOf(this.#command)
  }

  get cwd(): string {
    return process.cwd()
  }

  /** Aborted by Ctrl-C. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Input and output are a terminal, so the user can be asked. */
  get isInteractive(): boolean {
    return Boolean(this.stdin.isTTY && this.stderr.isTTY) && !this.options.json && !this.options.yes
  }

  /** Results go to a terminal, and colours were not switched off; or they were switched on. */
  get isColoured(): boolean {
    return hasColours(this.env, this.stdout)
  }

  /** The same for what is said beside results. */
  get paintsErrors(): boolean {
    return hasColours(this.env, this.stderr)
  }

  /** What to say when the process is interrupted now. */
  get hint(): string | undefined {
    return this.#hint
  }

  /** Runs `work`; an interruption meanwhile says how to continue from there. */
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

  /** Runs `work` and then `cleanup`, which is also run when the process is interrupted meanwhile. */
  async guarded<T>(cleanup: () => Promise<void>, work: () => Promise<T>): Promise<T> {
    this.#cleanups.add(cleanup)
    try {
      return await work()
    } finally {
      this.#cleanups.delete(cleanup)
      await cleanup()
    }
  }

  /** Ends everything that is under way. */
  async cleanUp(): Promise<void> {
    await Promise.allSettled([...this.#cleanups].map((cleanup) => cleanup()))
  }
}

function hasColours({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv, stream: NodeJS.WriteStream): boolean {
  if (NO_COLOR) return false
  return Boolean(stream.isTTY) || (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0')
}
