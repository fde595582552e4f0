import { ACCESS_KINDS, type Operation, runOperation } from '@minions/core/operations'
import type { Cli } from '../cli.js'
import { confirm } from '../input/confirm.js'
import { note, print } from '../output/output.js'
import type { Command, CommandBuilder, OptionsOf } from '../program/command.js'
import { given } from '../program/options.js'
import { withOperations } from './operations-app.js'

export function callerOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--by <who>', 'who does it')
    .option('--tenant <tenant>', 'the tenant to run it in')
    .choice('--access <access>', ACCESS_KINDS, 'run it only if this access is sufficient')
}

export type CallOptions = OptionsOf<typeof callerOptions>

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
  if (operation.access !== 'read') command.storeNeed = 'create'
  if (operation.destructive) await confirm(cli, `${operation.summary}?`)
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
