import { findOperation, type Operation, operationsOf } from '@minions/core/operations'
import type { Cli } from '../cli.js'
import { readObject } from '../input/content.js'
import { callerOptions, callOperation } from '../operations/call.js'
import { operationNamed } from '../operations/known-operations.js'
import { withOperations } from '../operations/operations-app.js'
import { facts, print, printTable } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'

export function register(program: Command, cli: Cli): void {
  const operations = program.command('operations')
  addCommand(operations, 'list', 'list the operations of every plugin')
    .examples('operations list', 'operations list prompts --json')
    .worksWithoutStore()
    .argument('[area]', 'only the operations of one area, such as prompts')
    .on(cli, withOperations, async (app, area) => {
      const all = [...operationsOf(app).values()].map(({ plugin, value }) => ({ ...described(value), plugin }))
      const wanted = all.filter(({ name }) => area === undefined || name.startsWith(`${area}.`))
      printTable(cli, wanted, 'Nothing to show.', {
        operation: 'name',
        access: ({ access, destructive }) => (destructive ? `${access}, destructive` : access),
        summary: 'summary',
        plugin: 'plugin',
      })
    })
  addCommand(operations, 'show', 'show an operation with its input, output and examples')
    .examples('operations show objects.find')
    .worksWithoutStore()
    .argument('<name>')
    .on(cli, withOperations, async (app, name) => {
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
  addCommand(operations, 'run', 'run an operation and print its result as JSON')
    .examples(
      `operations run objects.create --input '{"type":"note","title":"Hello","fields":{"content":"…"}}'`,
      'operations run objects.find',
    )
    .with(callerOptions)
    .argument('<name>')
    .option('--input <json>', 'the input as a JSON object, @file or - for standard input', undefined, '{}')
    .action(async (name, { input, ...options }, command) =>
      callOperation(cli, command, await operationNamed(cli, name), await readObject(cli, input, '--input'), options),
    )
}

function described({ name, summary, description, access, destructive = false, input, output, examples }: Operation) {
  return { name, summary, description, access, destructive, input, output, examples }
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
