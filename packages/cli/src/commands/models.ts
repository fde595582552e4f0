import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { type ListedModel, models, modelsRef } from '@minions/models'
import { readConfiguration } from '../app/configuration.js'
import { cliLogger } from '../app/logger.js'
import type { Cli } from '../cli.js'
import { note, printTable } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { given } from '../program/options.js'

interface TestedModel {
  readonly role: string
  readonly model: string
  readonly ok: boolean
  readonly ms: number
  readonly text?: string
  readonly error?: { readonly code: string; readonly message: string }
}

export function register(program: Command, cli: Cli): void {
  const command = program.command('models')
  addCommand(command, 'list', 'list the models of the configuration, or the one of MINIONS_MODEL')
    .examples('models list')
    .action(async () => {
      const listed = await runModels<ListedModel>(cli, 'models.list', {})
      printTable(cli, listed, 'Nothing to show.', {
        role: 'role',
        model: 'model',
        price: ({ priced }) => (priced ? 'known' : 'not known'),
      })
    })
  addCommand(command, 'test', 'ask each model for one word; exits with 1 if any does not answer')
    .examples('models test')
    .option('--role <role>', 'only the model of one role')
    .action(async ({ role }) => {
      const tested = await runModels<TestedModel>(cli, 'models.test', given({ role }))
      printTable(cli, tested, 'Nothing to show.', {
        role: 'role',
        model: 'model',
        ms: 'ms',
        answer: ({ text, error }) => (error ? `${error.code}: ${error.message}` : text),
      })
      if (tested.length === 0 || tested.some(({ ok }) => !ok)) cli.exitCode = 1
    })
}

/** What an operation on the configured models says of each, without a store. */
async function runModels<Row>(cli: Cli, operation: string, input: object): Promise<readonly Row[]> {
  const { plugins } = await readConfiguration(cli)
  const configured = plugins.map(({ value }) => value).find(({ ref }) => ref.name === modelsRef.name)
  const app = await createMinions({
    storage: 'memory:',
    plugins: [],
    morePlugins: [configured ?? models({ environment: cli.env, folder: cli.cwd })],
    ...cliLogger(cli),
  })
  const rows = await cli.guarded(
    () => app.close(),
    async () => (await runOperation(app, operation, input)) as readonly Row[],
  )
  if (rows.length === 0) note(cli, 'no model is configured: set MINIONS_MODEL, or add @minions/models to the plugins')
  return rows
}
