import type { Cli } from '../cli.js'
import type { Command } from '../program/command.js'
import { knownOperations } from './known-operations.js'
import { addOperationCommand } from './operation-command.js'

/** Adds commands for the operations of an area that have no hand-made one. */
export async function registerArea(program: Command, cli: Cli, area: string): Promise<void> {
  const own = (await knownOperations(cli)).filter(({ name }) => name.startsWith(`${area}.`))
  if (own.length === 0) return
  const parent = program.commands.find((command) => command.name() === area) ?? program.command(area)
  for (const operation of own) addOperationCommand(parent, cli, operation)
}
