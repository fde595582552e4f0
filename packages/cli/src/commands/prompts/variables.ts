import { VARIABLE_TYPES } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { readContent } from '../../input/content.js'
import { print, printTable, wrote } from '../../output/output.js'
import { addCommand, type Command } from '../../program/command.js'
import { given } from '../../program/options.js'
import { BY, PROMPT, promptCommand, withPrompt, withPrompts } from './prompts-app.js'

export function registerVariables(prompts: Command, cli: Cli): void {
  const variables = prompts.command('variables').description('the declared variables of a prompt')
  promptCommand(variables, 'list', 'list what is declared')
    .examples('prompts variables list Greeting')
    .onNamed(cli, withPrompt, async (app, id) =>
      printTable(cli, await app.prompts.variables.list(id), 'No variables are declared.', {
        name: 'title',
        type: ({ fields }) => fields.variableType,
        required: ({ fields }) => (fields.required ? 'yes' : 'no'),
        default: ({ fields }) => fields.defaultValue,
        description: ({ fields }) => fields.description,
      }),
    )
  addCommand(variables, 'set', 'declare a variable, or replace its declaration')
    .examples(
      'prompts variables set Greeting name --default friend --description "Who is greeted"',
      'prompts variables set Report items --type array --required',
    )
    .argument(...PROMPT)
    .argument('<name>', 'as the template writes it')
    .choice('--type <type>', VARIABLE_TYPES, 'the type of its values (string)')
    .option('--default <value>', 'used when no value is given: text, @file or -; JSON for types other than string')
    .option('--required', 'a value must be given, even if there is a default')
    .option('--no-required', 'a value may be missing, as it may if there is a default')
    .option('--description <text>', 'what it stands for')
    .option('--example <text>', 'a value, for people to read')
    .option(...BY)
    .action(async (prompt, name, options) => {
      const { type: variableType, required, description, example, by } = options
      const defaultValue = options.default === undefined ? undefined : await readContent(cli, options.default)
      await withPrompts(cli, async (app) => {
        const input = { name, ...given({ variableType, required, description, example, defaultValue }) }
        const variable = await app.prompts.variables.define(await app.prompts.resolve(prompt), input, given({ by }))
        print(cli, variable, () => `Declared ${name}: ${variable.fields.variableType}`)
      })
    })
  promptCommand(variables, 'remove', 'remove a declaration; the template stays as it is')
    .examples('prompts variables remove Greeting name')
    .argument('<name>')
    .option(...BY)
    .onNamed(cli, withPrompt, async (app, id, name, { by }) => {
      await app.prompts.variables.remove(id, name, given({ by }))
      wrote(cli, { name, removed: true }, `Removed ${name}`)
    })
}
