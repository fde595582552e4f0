import manifest from '../../package.json' with { type: 'json' }
import { Cli } from '../cli.js'
import { catalogue, commandName, modules, wordsOf } from './catalogue.js'
import { Command } from './command.js'
import { collect } from './options.js'
import { isInvalidValue, usageLine } from './usage-error.js'

/** Builds the command line: every command by name and description, and the requested one in full. */
export async function createProgram(argv: readonly string[]): Promise<{ program: Command; cli: Cli }> {
  const program = new Command('minions')
  const cli = new Cli(program)
  const asked = commandName(argv)
  describe(program)
  // Global options are understood after a command too, where `--version` is that of a prompt or skill.
  if (asked === undefined) program.version(manifest.version)
  const load = modules.get(asked ?? '')
  for (const [title, commands] of Object.entries(catalogue)) {
    program.commandsGroup(title)
    for (const [name, text] of Object.entries(commands)) {
      const added = () => program.commands.find((command) => command.name() === name)
      // A module may have several commands, and adds them together.
      if (added() === undefined && load !== undefined && modules.get(name) === load)
        (await load()).register(program, cli)
      const command = added() ?? program.command(name)
      command.description(text)
    }
  }
  if (asked !== undefined && !isOwnCommand(program, argv, asked)) {
    const { registerArea } = await import('../operations/area-commands.js')
    program.commandsGroup('Operations:')
    // Global options may appear anywhere on the line, and determine the plugins.
    program.parseOptions([...argv])
    await registerArea(program, cli, asked)
  }
  program.examples('demo', 'create note --title "Hello" --content "Kept in a file."', 'list --type note --json')
  settle(program)
  return { program, cli }
}

/** True if the command line names a command, and a subcommand if there are any. */
function isOwnCommand(program: Command, argv: readonly string[], asked: string): boolean {
  const command = program.commands.find((one) => one.name() === asked)
  if (!command) return false
  const next = wordsOf(argv)[1]
  return command.commands.length === 0 || next === undefined || command.commands.some((one) => one.name() === next)
}

function describe(program: Command): void {
  program
    .description('A structured home for AI agents: objects, prompts, workspaces, skills and missions in one store.')
    .option('--storage <url>', 'sqlite:./file.db, fs:./folder, postgres://…; see `minions config show`')
    .option('--plugin <name>', 'a plugin to use besides those of the configuration; may be repeated', collect)
    .option('--json', 'print JSON instead of tables')
    .option('-y, --yes', 'do not ask before destroying something')
    .option('--verbose', 'log each step to standard error')
    .option('--debug', 'print the stack and the causes of an error')
}

/** Settings that a command passes only to subcommands created after them. */
function settle(command: Command): void {
  command.exitOverride()
  // Headings are styled; the program strips colours where they are disabled.
  const styleTitle = (text: string) => `\u001b[1m${text}\u001b[22m`
  command.configureHelp({ showGlobalOptions: true, sortSubcommands: false, minWidthToWrap: 18, styleTitle })
  const names = command.parent === null ? [] : command.commands.map((child) => child.name())
  command.configureOutput({
    outputError: (text, write) => {
      // An invalid value is reported at the end, with the nearest valid one.
      if (!isInvalidValue(text)) write(usageLine(text, names))
    },
  })
  for (const child of command.commands) settle(child)
}
