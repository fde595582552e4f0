import { type Command as CompletedCommand, RootCommand } from '@bomb.sh/tab'
import type { Argument, Command, Option } from 'commander'
import { oneLine } from '../output/cell.js'

/** A value that a shell may offer, with its description. */
export interface Suggestion {
  readonly value: string
  readonly description: string
}

/** Possible values of an argument or an option. */
export type Suggest = (command: Command, part: Argument | Option) => readonly Suggestion[]

/** The commands below `program` in the form that answers completion requests of shells. */
export function completionTree(program: Command, suggest: Suggest): RootCommand {
  const root = new RootCommand()
  describe(root, program, suggest)
  for (const [path, command] of descendants(program)) {
    describe(root.command(path, oneLine(command.description())), command, suggest)
    // Global options are understood after every command.
    for (const option of visibleOptions(program)) addOption(root.commands.get(path), program, option, suggest)
  }
  return root
}

function describe(target: CompletedCommand, command: Command, suggest: Suggest): void {
  for (const option of visibleOptions(command)) addOption(target, command, option, suggest)
  for (const argument of command.registeredArguments) {
    target.argument(argument.name(), (complete) => offer(complete, suggest(command, argument)), argument.variadic)
  }
}

function addOption(target: CompletedCommand | undefined, command: Command, option: Option, suggest: Suggest): void {
  const name = option.long?.replace(/^--/, '')
  if (target === undefined || name === undefined || target.options.has(name)) return
  const short = option.short?.replace(/^-/, '')
  const description = oneLine(option.description)
  if (!option.required && !option.optional) target.option(name, description, short ?? '')
  else target.option(name, description, (complete) => offer(complete, suggest(command, option)), short)
}

function offer(complete: (value: string, description: string) => void, suggestions: readonly Suggestion[]): void {
  for (const { value, description } of suggestions) complete(value, oneLine(description))
}

/** Every subcommand, by the words that name it. */
function* descendants(command: Command, path: readonly string[] = []): Iterable<[path: string, command: Command]> {
  for (const child of command.createHelp().visibleCommands(command)) {
    const words = [...path, child.name()]
    yield [words.join(' '), child]
    yield* descendants(child, words)
  }
}

function visibleOptions(command: Command): Option[] {
  return command.createHelp().visibleOptions(command)
}
