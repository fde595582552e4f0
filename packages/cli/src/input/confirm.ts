import { createInterface } from 'node:readline'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { UsageError } from '../program/usage-error.js'

/**
 * Asks before something is destroyed. `--yes` answers; without a terminal the answer is a line of standard input. Throws
 * `CONFIRMATION_REQUIRED` unless the answer is yes.
 */
export async function confirm(cli: Cli, question: string): Promise<void> {
  if (cli.options.yes) return
  const agreed = cli.isInteractive ? await askForYes(cli, question) : await lineSaysYes(cli)
  if (!agreed) throw cliError('CONFIRMATION_REQUIRED', `${question} Nothing was changed; confirm, or pass --yes.`)
}

/** A value that was not given as an option: asked for at a terminal, a usage error elsewhere. */
export async function required(cli: Cli, given: string | undefined, flag: string, message: string): Promise<string> {
  if (given !== undefined) return given
  if (!cli.isInteractive) throw new UsageError(`required option '${flag}' not specified`)
  const { isCancel, text } = await import('@clack/prompts')
  const validate = (value: string | undefined) => (value?.trim() ? undefined : 'Something must stand here.')
  const answer = await text({ message, validate, output: cli.stderr })
  if (isCancel(answer)) return interrupted(cli)
  return answer
}

async function askForYes(cli: Cli, message: string): Promise<boolean> {
  const prompts = await import('@clack/prompts')
  const answer = await prompts.confirm({ message, initialValue: false, output: cli.stderr })
  return prompts.isCancel(answer) ? interrupted(cli) : answer
}

async function lineSaysYes(cli: Cli): Promise<boolean> {
  if (cli.stdin.isTTY) return false
  for await (const line of createInterface({ input: cli.stdin })) return /^y(es)?$/i.test(line.trim())
  return false
}

/** The prompts take Ctrl-C for themselves; here it means what it means everywhere. */
export function interrupted(cli: Cli): never {
  cli.interrupt()
  throw cli.signal.reason
}
