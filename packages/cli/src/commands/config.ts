import { readConfiguration, storageName } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { printTable } from '../output/output.js'
import type { Command } from '../program/command.js'
import { addCommand } from '../program/command-builder.js'

interface Shown {
  readonly name: string
  readonly value: string
  readonly source: string
}

export function register(program: Command, cli: Cli): void {
  addCommand(program.command('config'), 'show', 'show each value and its source')
    .examples('config show', '--storage postgres://localhost/minions config show --json')
    .action(async () => {
      const { home, storage, plugins } = await readConfiguration(cli)
      const url = storageName(storage)
      const settings: Shown[] = [
        { name: 'home', value: home.value, source: home.source },
        { name: 'storage', value: url, source: storage.source },
        ...plugins.map(({ value, source }) => ({
          name: 'plugin',
          value: `${value.ref.name}@${value.version}`,
          source,
        })),
      ]
      const { MINIONS_TENANT: tenant } = cli.env
      if (tenant) settings.push({ name: 'tenant', value: tenant, source: 'MINIONS_TENANT' })
      printTable(
        cli,
        settings,
        '',
        { name: (row) => row.name, value: (row) => row.value, from: (row) => row.source },
        Number.POSITIVE_INFINITY,
      )
    })
}
