import type { Operation } from '@minions/core/operations'
import type { Cli } from '../cli.js'
import { addCommand, type Command } from '../program/command.js'
import { type CallOptions, callerOptions, callOperation } from './call.js'
import { addFlags, readFlags } from './flags.js'

/**
 * Adds the command of an operation to that of its area, unless there is one of this name: `prompts.usedBy` becomes
 * `minions prompts used-by`, with flags from its schema.
 */
export function addOperationCommand(
  parent: Command,
  cli: Cli,
  operation: Operation,
  example = `operations show ${operation.name}`,
): void {
  const [, ...words] = operation.name.split('.')
  const verb = words.join('-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (parent.commands.some((command) => command.name() === verb)) return
  const { command } = addCommand(parent, verb, operation.summary).examples(example).with(callerOptions)
  addFlags(command, operation.input)
  command.action(async (options: CallOptions & Record<string, unknown>) =>
    callOperation(cli, command, operation, await readFlags(cli, operation.input, options), options),
  )
}
