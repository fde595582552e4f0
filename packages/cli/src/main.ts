import { CommanderError } from 'commander'
import type { Cli } from './cli.js'
import { createProgram } from './program/program.js'
import { isInvalidValue, UsageError, usageLine, withNearestChoice } from './program/usage-error.js'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs one command line and resolves to the exit code: 0, 1 (refused, not found, invalid), 2 (usage) or 130 (Ctrl-C). */
export async function main(given: readonly string[]): Promise<number> {
  const argv = await takeArguments(given)
  watchOutput()
  const { program, cli } = await createProgram(argv)
  if (argv.length === 0) {
    program.outputHelp()
    return 0
  }
  const interrupted = new Promise<'interrupted'>((resolve) => {
    cli.signal.addEventListener('abort', () => !cli.endsItself && resolve('interrupted'), { once: true })
  })
  const stop = () => (cli.signal.aborted ? process.exit(130) : cli.interrupt())
  for (const signal of SIGNALS) process.on(signal, stop)
  const running = program.parseAsync([...argv], { from: 'user' }).then(
    () => cli.exitCode,
    (error: unknown) => (cli.signal.aborted ? 130 : report(cli, error)),
  )
  const outcome = await Promise.race([running, interrupted])
  if (outcome !== 'interrupted') {
    for (const signal of SIGNALS) process.off(signal, stop)
    return outcome
  }
  // Printed first: closing may take a while, and a second Ctrl-C does not wait for it.
  cli.stderr.write(`\nminions: interrupted${cli.hint === undefined ? '' : `; ${cli.hint}`}\n`)
  // Stores finish their current transaction, temporary files are removed, and nothing new starts.
  await cli.cleanUp()
  return process.exit(130)
}

/** Most command lines are valid, and invalid ones can wait for core to load. */
async function takeArguments(given: readonly string[]): Promise<readonly string[]> {
  try {
    if (Array.isArray(given) && given.length < 100_000) {
      const argv = Array.from(given)
      if (argv.every((word) => typeof word === 'string')) return argv
    }
  } catch {
    // What cannot be read is not a list of texts either.
  }
  const { coreError } = await import('@minions/core')
  throw coreError('VALIDATION_FAILED', 'The arguments of a command must be a list of strings.')
}

let isWatched = false

/** A reader that stops early, such as `head`, is not a failure; lost output is. */
function watchOutput(): void {
  if (isWatched) return
  isWatched = true
  process.stderr.on('error', () => {})
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    process.stderr.write(`minions: FILE_UNWRITABLE: The output is lost: ${message}.\n`)
    process.exit(1)
  })
}

async function report(cli: Cli, error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    if (isInvalidValue(error.message)) cli.stderr.write(usageLine(await withNearestChoice(error.message)))
    return error.exitCode === 0 ? 0 : 2
  }
  if (error instanceof UsageError) {
    cli.stderr.write(usageLine(error.message))
    return 2
  }
  const { isMinionsError, messageOf } = await import('@minions/core')
  const message = messageOf(error)
  const code = isMinionsError(error) ? error.code : 'UNEXPECTED'
  const shown = cli.paintsErrors ? `\u001b[31m${code}\u001b[39m` : code
  cli.stderr.write(`minions: ${shown}: ${message.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`)
  if (cli.options.debug) cli.stderr.write(`${(await import('node:util')).inspect(error, { depth: 6 })}\n`)
  else if (code === 'UNEXPECTED') cli.stderr.write('Run it again with --debug to see where.\n')
  return 1
}
