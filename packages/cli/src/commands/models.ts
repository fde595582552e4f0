import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { type ListedModel, models, modelsRef } from '@minions/models'
import type { Command } from 'commander'
import { readConfiguration } from '../app/configuration.js'
import { verboseLogger } from '../app/logger.js'
import type { Cli } from '../cli.js'
import { note, print, table } from '../output/output.js'
import { examples } from '../program/options.js'

interface TestOptions {
  readonly role?: string
}

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
  examples(
    command
      .command('list')
      .description('list the models of the configuration, or the one of MINIONS_MODEL')
      .action(() => list(cli)),
    'models list',
  )
  examples(
    command
      .command('test')
      .description('ask each model for one word; exits with 1 if any does not answer')
      .option('--role <role>', 'only the model of one role')
      .action((options: TestOptions) => test(cli, options)),
    'models test',
  )
}

async function list(cli: Cli): Promise<void> {
  const listed = (await runModels(cli, 'models.list', {})) as readonly ListedModel[]
  if (listed.length === 0) note(cli, 'no model is configured: set MINIONS_MODEL, or add @minions/models to the plugins')
  print(cli, listed, () =>
    table(listed, {
      role: ({ role }) => role,
      model: ({ model }) => model,
      price: ({ priced }) => (priced ? 'known' : 'not known'),
    }),
  )
}

async function test(cli: Cli, { role }: TestOptions): Promise<void> {
  const tested = (await runModels(cli, 'models.test', role === undefined ? {} : { role })) as readonly TestedModel[]
  if (tested.length === 0) note(cli, 'no model is configured: set MINIONS_MODEL, or add @minions/models to the plugins')
  print(cli, tested, () =>
    table(tested, {
      role: (each) => each.role,
      model: (each) => each.model,
      ms: (each) => each.ms,
      answer: ({ text, error }) => (error ? `${error.code}: ${error.message}` : text),
    }),
  )
  if (tested.length === 0 || tested.some(({ ok }) => !ok)) cli.exitCode = 1
}

/** Runs an operation on the configured models, without a store. */
async function runModels(cli: Cli, operation: string, input: object): Promise<unknown> {
  const { plugins } = await readConfiguration(cli)
  const configured = plugins.map(({ value }) => value).find(({ ref }) => ref.name === modelsRef.name)
  const app = await createMinions({
    storage: 'memory:',
    plugins: [],
    morePlugins: [configured ?? models({ environment: cli.env, folder: cli.cwd })],
    ...verboseLogger(cli),
  })
  return cli.guarded(
    () => app.close(),
    () => runOperation(app, operation, input),
  )
}
