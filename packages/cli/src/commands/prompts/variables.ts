import { VARIABLE_TYPES, type VariableType } from '@minions/prompts'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.js'
import { readContent } from '../../input/content.js'
import { print, table, wrote } from '../../output/output.js'
import { examples, given } from '../../program/options.js'
import { withPrompts } from './prompts-app.js'

interface SetOptions {
  readonly type?: VariableType
  readonly default?: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: string
  readonly by?: string
}

/** `variables list`, `variables set` and `variables remove`. */
export function registerVariables(prompts: Command, cli: Cli): void {
  const variables = prompts.command('variables').description('the declared variables of a prompt')
  examples(
    variables
      .command('list')
      .description('list what is declared')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .action((prompt: string) => list(cli, prompt)),
    'prompts variables list Greeting',
  )
  examples(
    variables
      .command('set')
      .description('declare a variable, or replace its declaration')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .argument('<name>', 'as the template writes it')
      .addOption(new Option('--type <type>', 'the type of its values (string)').choices(VARIABLE_TYPES))
      .option('--default <value>', 'used when no value is given: text, @file or -; JSON for types other than string')
      .option('--required', 'a value must be given, even if there is a default')
      .option('--no-required', 'a value may be missing, as it may if there is a default')
      .option('--description <text>', 'what it stands for')
      .option('--example <text>', 'a value, for people to read')
      .option('--by <who>', 'who does it')
      .action((prompt: string, name: string, options: SetOptions) => set(cli, prompt, name, options)),
    'prompts variables set Greeting name --default friend --description "Who is greeted"',
    'prompts variables set Report items --type array --required',
  )
  examples(
    variables
      .command('remove')
      .description('remove a declaration; the template stays as it is')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .argument('<name>')
      .option('--by <who>', 'who does it')
      .action((prompt: string, name: string, options: { by?: string }) => remove(cli, prompt, name, options)),
    'prompts variables remove Greeting name',
  )
}

async function list(cli: Cli, prompt: string): Promise<void> {
  await withPrompts(cli, async (app) => {
    const variables = await app.prompts.variables.list(await app.prompts.resolve(prompt))
    print(cli, variables, () =>
      table(
        variables,
        {
          name: ({ title }) => title,
          type: ({ fields }) => fields.variableType,
          required: ({ fields }) => (fields.required ? 'yes' : 'no'),
          default: ({ fields }) => fields.defaultValue,
          description: ({ fields }) => fields.description,
        },
        'No variables are declared.',
      ),
    )
  })
}

async function set(cli: Cli, prompt: string, name: string, options: SetOptions): Promise<void> {
  const { type: variableType, required, description, example, by } = options
  const defaultValue = options.default === undefined ? undefined : await readContent(cli, options.default)
  await withPrompts(cli, async (app) => {
    const input = { name, ...given({ variableType, required, description, example, defaultValue }) }
    const variable = await app.prompts.variables.define(await app.prompts.resolve(prompt), input, given({ by }))
    print(cli, variable, () => `Declared ${name}: ${variable.fields.variableType}`)
  })
}

async function remove(cli: Cli, prompt: string, name: string, options: { readonly by?: string }): Promise<void> {
  await withPrompts(cli, async (app) => {
    await app.prompts.variables.remove(await app.prompts.resolve(prompt), name, given({ by: options.by }))
    wrote(cli, { name, removed: true }, `Removed ${name}`)
  })
}
