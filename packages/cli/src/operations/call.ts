import { ACCESS_KINDS, type Access, type Operation, runOperation } from '@minions/core/operations'
import { type Command, Option } from 'commander'
import type { Cli } from '../cli.js'
import { confirm } from '../input/confirm.js'
import { note, print } from '../output/output.js'
import { given } from '../program/options.js'
import { createsStore } from '../store/store-need.js'

/** Options of a call besides its input. */
export interface CallOptions {
  readonly by?: string
  readonly tenant?: string
  readonly access?: Access
}

/** Adds the options that identify the caller. */
export function withCaller(command: Command): Command {
  return command
    .option('--by <who>', 'who does it')
    .option('--tenant <tenant>', 'the tenant to run it in')
    .addOption(new Option('--access <access>', 'run it only if this access is sufficient').choices(ACCESS_KINDS))
}

/**
 * Runs an operation for a command and prints its result as JSON; progress goes to standard error at a terminal. Only an
 * operation that writes creates a store, and a destructive one asks for confirmation.
 */
export async function callOperation(
  cli: Cli,
  command: Command,
  operation: Operation,
  input: unknown,
  options: CallOptions,
): Promise<void> {
  if (operation.access !== 'read') createsStore(command)
  if (operation.destructive) await confirm(cli, `${operation.summary}?`)
  const { withOperations } = await import('./operations-app.js')
  await withOperations(cli, async (app) => {
    const { by, tenant = cli.env.MINIONS_TENANT, access } = options
    const result = await runOperation(app, operation.name, input, {
      ...given({ by, tenant, access }),
      signal: cli.signal,
      onProgress: ({ done, total, message }) => {
        if (cli.isInteractive)
          note(cli, `${message ?? operation.name}: ${done}${total === undefined ? '' : ` of ${total}`}`)
      },
    })
    print(cli, result, () => JSON.stringify(result, null, 2))
  })
}
