import { readConfiguration, storageName } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { printTable } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'

export function register(program: Command, cli: Cli): void {
  addCommand(program.command('config'), 'show', 'show each value and its source')
    .examples('config show', '--storage postgres://localhost/minions config show --json')
    .action(async () => {
      const { home, storage, plugins } = await readConfiguration(cli)
      const { MINIONS_TENANT: tenant } = cli.env
      const settings = [
        { name: 'home', ...home },
        { name: 'storage', value: storageName(storage), source: storage.source },
        ...plugins.map(({ value, source }) => ({
          name: 'plugin',
          value: `${value.ref.name}@${value.version}`,
          source,
        })),
        ...(tenant ? [{ name: 'tenant', value: tenant, source: 'MINIONS_TENANT' }] : []),
      ]
      const columns = { name: 'name', value: 'value', from: 'source' } as const
      printTable(cli, settings, '', columns, Number.POSITIVE_INFINITY)
    })
}
