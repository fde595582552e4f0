import type { Command } from 'commander'
import { catalogue } from '../../src/program/catalogue.js'
import { createProgram } from '../../src/program/program.js'

/** A command that does something, with the words that lead to it. */
export interface Leaf {
  readonly words: string
  readonly command: Command
}

/** All commands of the program, at whatever depth. */
export async function allCommands(): Promise<Leaf[]> {
  const leaves: Leaf[] = []
  for (const name of Object.values(catalogue).flatMap((commands) => Object.keys(commands))) {
    const { program } = await createProgram([name])
    const command = program.commands.find((each) => each.name() === name)
    if (command) leaves.push(...leavesOf(command, name))
  }
  return leaves
}

function leavesOf(command: Command, words: string): Leaf[] {
  if (command.commands.length === 0) return [{ words, command }]
  return command.commands.flatMap((child) => leavesOf(child, `${words} ${child.name()}`))
}
