import { createInterface } from 'node:readline'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { UsageError } from '../program/usage-error.js'

/**
 * Asks for confirmation before something is destroyed. `--yes` confirms; without a terminal the answer is a line of
 * standard input. Throws `CONFIRMATION_REQUIRED` unless the answer is yes.
 */
export async function confirm(cli: Cli, question: string): Promise<void> {
  if (cli.options.yes) return
  const agreed = cli.isInteractive ? await askForYes(cli, question) : await lineSaysYes(cli)
  if (!agreed) throw cliError('CONFIRMATION_REQUIRED', `${question} Nothing was changed; confirm, or pass --yes.`)
}

/** A missing option: prompted for at a terminal, a usage error elsewhere. */
export async function required(cli: Cli, given: string | undefined, flag: string, message: string): Promise<string> {
  if (given !== undefined) return given
  if (!cli.isInteractive) throw new UsageError(`required option '${flag}' not specified`)
  const { isCancel, text } = await import('@clack/prompts')
  const validate = (value: string | undefined) => (value?.trim() ? undefined : 'A value is required.')
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

/** Prompts intercept Ctrl-C; here it has its usual meaning. */
export function interrupted(cli: Cli): never {
  cli.interrupt()
  throw cli.signal.reason
}
