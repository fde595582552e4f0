import { findOperation, type Operation, operationsOf } from '@minions/core/operations'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { readObject } from '../input/content.js'
import { type CallOptions, callOperation, withCaller } from '../operations/call.js'
import { operationNamed } from '../operations/known-operations.js'
import { withOperations } from '../operations/operations-app.js'
import { facts, print, table } from '../output/output.js'
import { examples } from '../program/options.js'
import { worksWithoutStore } from '../store/store-need.js'

export function register(program: Command, cli: Cli): void {
  const operations = program.command('operations')
  examples(
    worksWithoutStore(operations.command('list'))
      .description('list the operations of every plugin')
      .argument('[area]', 'only the operations of one area, such as prompts')
      .action((area?: string) => list(cli, area)),
    'operations list',
    'operations list prompts --json',
  )
  examples(
    worksWithoutStore(operations.command('show'))
      .description('show an operation with its input, output and examples')
      .argument('<name>')
      .action((name: string) => show(cli, name)),
    'operations show objects.find',
  )
  examples(
    withCaller(operations.command('run'))
      .description('run an operation and print its result as JSON')
      .argument('<name>')
      .option('--input <json>', 'the input as a JSON object, @file or - for standard input', '{}')
      .action(async (name: string, { input, ...options }: CallOptions & { input: string }, command: Command) =>
        callOperation(cli, command, await operationNamed(cli, name), await readObject(cli, input, '--input'), options),
      ),
    `operations run objects.create --input '{"type":"note","title":"Hello","fields":{"content":"…"}}'`,
    'operations run objects.find',
  )
}

async function list(cli: Cli, area: string | undefined): Promise<void> {
  await withOperations(cli, async (app) => {
    const all = [...operationsOf(app).values()].map(({ plugin, value }) => ({ ...described(value), plugin }))
    const wanted = all.filter(({ name }) => area === undefined || name.startsWith(`${area}.`))
    print(cli, wanted, () =>
      table(wanted, {
        operation: ({ name }) => name,
        access: ({ access, destructive }) => (destructive ? `${access}, destructive` : access),
        summary: ({ summary }) => summary,
        plugin: ({ plugin }) => plugin,
      }),
    )
  })
}

async function show(cli: Cli, name: string): Promise<void> {
  await withOperations(cli, async (app) => {
    const { plugin, value } = findOperation(app, name)
    const operation = { ...described(value), plugin }
    print(cli, operation, () => {
      const { input, output, examples: calls = [], ...rest } = operation
      const parts = [facts(rest), `Input\n${pretty(input)}`, `Output\n${pretty(output)}`]
      for (const { title, input: given, by, tenant } of calls) {
        const caller = `${tenant === undefined ? '' : ` --tenant ${tenant}`}${by === undefined ? '' : ` --by ${by}`}`
        parts.push(`${title}\n$ minions operations run ${name} --input '${JSON.stringify(given)}'${caller}`)
      }
      return parts.join('\n\n')
    })
  })
}

/** An operation as data. */
function described({ name, summary, description, access, destructive = false, input, output, examples }: Operation) {
  return { name, summary, description, access, destructive, input, output, examples }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
