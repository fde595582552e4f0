import { Argument, Command as CommanderCommand, Option } from 'commander'
import type { Cli } from '../cli.js'

/**
 * What a command does if the store does not exist: `create` creates it, `optional` does without unless one was named,
 * and `existing`, the default, fails.
 */
export type StoreNeed = 'create' | 'optional' | 'existing'

/** A command of this program: its help ends with examples, and it knows what it needs of a store. */
export class Command extends CommanderCommand {
  declare readonly commands: readonly Command[]
  storeNeed: StoreNeed = 'existing'

  override createCommand(name?: string): Command {
    return new Command(name)
  }

  /** Ends the help with examples of its use. */
  examples(...lines: readonly string[]): this {
    const list = lines.map((line) => `  $ minions ${line}`)
    return this.addHelpText('after', `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${list.join('\n')}`)
  }
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name

type FirstWord<Text extends string> = Text extends `${infer First} ${string}` ? First : Text

/** Name of an option among those of a command: `--dry-run <n>` is `dryRun`, and `--no-open` is `open`. */
type OptionName<Flags extends string> = Flags extends `--no-${infer Name}`
  ? CamelCase<FirstWord<Name>>
  : Flags extends `--${infer Name}`
    ? CamelCase<FirstWord<Name>>
    : never

/** A value as flags or an argument announce it: one or several texts, or true for a flag alone. */
type Announced<Text extends string, One = string> = Text extends `${string}...${string}`
  ? One[]
  : Text extends `${string}<${string}` | `[${string}`
    ? One
    : boolean

/** `--no-open` always has a value, and so has an option with a default. */
type Added<Flags extends string, Value, Default> = Flags extends `--no-${string}`
  ? { readonly [Name in OptionName<Flags>]: Value }
  : undefined extends Default
    ? { readonly [Name in OptionName<Flags>]?: Value }
    : { readonly [Name in OptionName<Flags>]: Value }

/** `[id]` may be missing; several may be none. */
type ArgumentValue<Text extends string, Value> = Text extends `[${string}...]`
  ? Value
  : Text extends `[${string}`
    ? Value | undefined
    : Value

type First<Arguments extends unknown[]> = Arguments extends [infer One, ...unknown[]] ? One : never
type Rest<Arguments extends unknown[]> = Arguments extends [unknown, ...infer Others] ? Others : never

/**
 * Adds a command step by step. The types of its arguments and options follow from what was declared, and are those of
 * the parameters of its action.
 */
export class CommandBuilder<Arguments extends unknown[], Options> {
  readonly command: Command

  constructor(command: Command) {
    this.command = command
  }

  /** Ends the help with examples of its use. */
  examples(...lines: readonly string[]): this {
    this.command.examples(...lines)
    return this
  }

  /** Ends the help with a text. */
  note(text: string): this {
    this.command.addHelpText('after', `\n${text}`)
    return this
  }

  /** For a command that may create a store. */
  createsStore(): this {
    this.command.storeNeed = 'create'
    return this
  }

  /** For a command that can work without a store, for built-in types for example. */
  worksWithoutStore(): this {
    this.command.storeNeed = 'optional'
    return this
  }

  /** Adds what several commands share. */
  with<A extends unknown[], O>(
    add: (command: CommandBuilder<Arguments, Options>) => CommandBuilder<A, O>,
  ): CommandBuilder<A, O> {
    return add(this)
  }

  argument<const Text extends string, Value = Announced<Text>>(
    text: Text,
    description?: string,
    parse?: (value: string, previous: Value | undefined) => Value,
  ): CommandBuilder<[...Arguments, ArgumentValue<Text, Value>], Options> {
    const argument = new Argument(text, description)
    if (parse) argument.argParser(parse)
    return this.#with(argument)
  }

  choiceArgument<const Text extends string, const Choice extends string>(
    text: Text,
    choices: readonly Choice[],
    description?: string,
  ): CommandBuilder<[...Arguments, ArgumentValue<Text, Announced<Text, Choice>>], Options> {
    return this.#with(new Argument(text, description).choices(choices))
  }

  option<const Flags extends string, Value = Announced<Flags>, const Default extends Value | undefined = undefined>(
    flags: Flags,
    description?: string,
    parse?: ((value: string, previous: Value | undefined) => Value) | undefined,
    initial?: Default,
  ): CommandBuilder<Arguments, Options & Added<Flags, Value, Default>> {
    const option = new Option(flags, description)
    if (parse) option.argParser(parse)
    if (initial !== undefined) option.default(initial)
    return this.#with(option)
  }

  requiredOption<const Flags extends string>(
    flags: Flags,
    description: string,
  ): CommandBuilder<Arguments, Options & Added<Flags, string, string>> {
    return this.#with(new Option(flags, description).makeOptionMandatory())
  }

  choice<const Flags extends string, const Choice extends string, const Default extends Choice | undefined = undefined>(
    flags: Flags,
    choices: readonly Choice[],
    description?: string,
    initial?: Default,
  ): CommandBuilder<Arguments, Options & Added<Flags, Announced<Flags, Choice>, Default>> {
    const option = new Option(flags, description).choices(choices)
    if (initial !== undefined) option.default(initial)
    return this.#with(option)
  }

  /** What the command does. It gets its arguments, then its options, then itself. */
  action(run: (...given: [...Arguments, Options, Command]) => void | Promise<void>): Command {
    return this.command.action(run)
  }

  /** The same for a command that works on what `open` opens for it. */
  on<Opened>(
    cli: Cli,
    open: (cli: Cli, work: (opened: Opened) => Promise<void>, options: Options) => Promise<void>,
    run: (opened: Opened, ...given: [...Arguments, Options]) => void | Promise<void>,
  ): Command {
    return this.action((...all) => {
      const given = all.slice(0, -1) as [...Arguments, Options]
      return open(cli, async (opened) => run(opened, ...given), given.at(-1) as Options)
    })
  }

  /** The same for a command whose first argument names what it works on. */
  onNamed<Opened, Named>(
    cli: Cli,
    open: (cli: Cli, name: First<Arguments>, work: (opened: Opened, named: Named) => Promise<void>) => Promise<void>,
    run: (opened: Opened, named: Named, ...given: [...Rest<Arguments>, Options]) => void | Promise<void>,
  ): Command {
    return this.action((...all) => {
      const given = all.slice(1, -1) as [...Rest<Arguments>, Options]
      return open(cli, all[0] as First<Arguments>, async (opened, named) => run(opened, named, ...given))
    })
  }

  #with<A extends unknown[], O>(part: Argument | Option): CommandBuilder<A, O> {
    if (part instanceof Argument) this.command.addArgument(part)
    else this.command.addOption(part)
    return new CommandBuilder<A, O>(this.command)
  }
}

/** The options that a function for `with` adds. */
export type OptionsOf<Add extends (command: never) => unknown> =
  ReturnType<Add> extends CommandBuilder<infer _Arguments, infer Options> ? Options : never

/** Adds a command below another; one of the program itself is described in the catalogue. */
export function addCommand(parent: Command, name: string, description = ''): CommandBuilder<[], object> {
  return new CommandBuilder<[], object>(parent.command(name).description(description))
}
