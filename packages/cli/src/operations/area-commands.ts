import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { examples } from '../program/options.js'
import { type CallOptions, callOperation, withCaller } from './call.js'
import { addFlags, readFlags } from './flags.js'
import { knownOperations } from './known-operations.js'

/**
 * Adds commands for the operations of an area that have no hand-made one: `visits.note` becomes `minions visits note`, with
 * flags from its schema. Returns false when there is no such area.
 */
export async function registerArea(program: Command, cli: Cli, area: string): Promise<boolean> {
  const own = (await knownOperations(cli)).filter(({ name }) => name.startsWith(`${area}.`))
  if (own.length === 0) return false
  const parent = program.commands.find((command) => command.name() === area) ?? program.command(area)
  for (const operation of own) {
    const words = operation.name.slice(area.length + 1).split('.')
    const verb = words.join('-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    if (parent.commands.some((command) => command.name() === verb)) continue
    const command = withCaller(parent.command(verb)).description(operation.summary)
    addFlags(command, operation.input)
    command.action(async (options: CallOptions & Record<string, unknown>) =>
      callOperation(cli, command, operation, await readFlags(cli, operation.input, options), options),
    )
    examples(command, `operations show ${operation.name}`)
  }
  return true
}
