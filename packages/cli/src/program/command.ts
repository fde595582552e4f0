import { Command as CommanderCommand } from 'commander'

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
