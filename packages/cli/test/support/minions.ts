import { spawn } from 'node:child_process'
import { Console } from 'node:console'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { scratchFolder } from '../../../../tools/scratch-folder.js'

/** The command as users get it; the tests of this package run after its build. */
export const BIN = fileURLToPath(new URL('../../bin/minions.js', import.meta.url))

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Sends SIGINT once this appears in the output. */
  readonly interruptAt?: RegExp
  /** Sends this instead. */
  readonly signal?: NodeJS.Signals
  /** Of a command that runs `here`: it writes to a terminal of this width. */
  readonly columns?: number
}

const homes: string[] = []
// At the top of the file, because a hook that is registered while a test runs is never called.
afterAll(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true })
})

/** A home folder of its own, and the command in it. */
export class Minions {
  readonly home: string

  constructor() {
    this.home = mkdtempSync(join(scratchFolder, 'minions-cli-'))
    homes.push(this.home)
  }

  path(...parts: string[]): string {
    return join(this.home, ...parts)
  }

  /** Runs a command line as a process of its own, to its end, whatever comes of it. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    return collect(process.execPath, [BIN, ...args], this.#env(options), options)
  }

  /** Runs a command line of the same built command in this process, which saves the second that starting takes. */
  here(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const outcome = lastHere.then(() => runHere(args, this.#env(options), options))
    lastHere = outcome.catch(() => undefined)
    return outcome
  }

  /** Runs a command line `here` that must succeed, and gives what it printed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what is read back is compared, not used
  async json(args: readonly string[], options: RunOptions = {}): Promise<any> {
    const { code, stdout, stderr } = await this.here([...args, '--json'], options)
    if (code !== 0) throw new Error(`minions ${args.join(' ')} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }

  /** Runs a command line at a pseudo-terminal and types each text as soon as what is expected before it appears. */
  atTerminal(
    args: readonly string[],
    typing: readonly (readonly [RegExp, string])[],
    env: Readonly<Record<string, string>> = {},
    columns = 120,
  ): Promise<Outcome> {
    const line = [`stty cols ${columns} rows 40;`, ...[process.execPath, BIN, ...args].map(quote)].join(' ')
    return collect('script', ['-qec', line, '/dev/null'], this.#env({ env }), { typing })
  }

  #env({ env = {} }: RunOptions): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env
    return { PATH, HOME, MINIONS_HOME: this.home, TERM: 'xterm', ...env }
  }
}

/** One command line at a time has this process to itself. */
let lastHere: Promise<unknown> = Promise.resolve()

async function runHere(args: readonly string[], env: Record<string, string>, options: RunOptions): Promise<Outcome> {
  const { main } = await import('../../src/index.js')
  const { env: ownEnv, stdin: ownInput } = process
  const { console: ownConsole } = globalThis
  const ownFolder = process.cwd()
  const [stdout, stderr] = [capture(process.stdout, options.columns), capture(process.stderr, options.columns)]
  try {
    process.env = env
    // That of vitest writes to its reporters.
    globalThis.console = new Console(process.stdout, process.stderr)
    process.chdir(options.cwd ?? env.MINIONS_HOME ?? ownFolder)
    Object.defineProperty(process, 'stdin', { value: Readable.from([options.input ?? '']), configurable: true })
    return { code: await main(args), stdout: stdout.end(), stderr: stderr.end() }
  } finally {
    stdout.end()
    stderr.end()
    Object.defineProperty(process, 'stdin', { value: ownInput, configurable: true })
    process.chdir(ownFolder)
    globalThis.console = ownConsole
    process.env = ownEnv
  }
}

/** Takes what is written to a stream, until its end; with columns, it is that of a terminal. */
function capture(stream: NodeJS.WriteStream, columns: number | undefined): { end(): string } {
  let text = ''
  const { write, isTTY, columns: ownColumns } = stream
  stream.write = ((chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    return true
  }) as typeof stream.write
  if (columns !== undefined) Object.assign(stream, { isTTY: true, columns })
  return {
    end() {
      Object.assign(stream, { write, isTTY, columns: ownColumns })
      return text
    },
  }
}

interface CollectOptions extends RunOptions {
  readonly typing?: readonly (readonly [RegExp, string])[]
}

function collect(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  options: CollectOptions,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd: options.cwd ?? env.MINIONS_HOME })
    const waiting = [...(options.typing ?? [])]
    let [stdout, stderr] = ['', '']
    let isInterrupted = false
    const look = () => {
      const next = waiting[0]
      if (next?.[0].test(stdout)) {
        waiting.shift()
        child.stdin.write(next[1])
      }
      if (isInterrupted || !options.interruptAt?.test(stdout + stderr)) return
      isInterrupted = true
      child.kill(options.signal ?? 'SIGINT')
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      look()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      look()
    })
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    if (options.typing === undefined) child.stdin.end(options.input ?? '')
  })
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** A home folder whose store has two notes and a relation between them. */
export async function filled(): Promise<Minions> {
  const minions = new Minions()
  const a = await minions.json(['create', 'note', '--title', 'A', '--content', 'first'])
  const b = await minions.json(['create', 'note', '--title', 'B', '--content', 'second'])
  await minions.json(['link', a.id, 'relates_to', b.id])
  return minions
}
