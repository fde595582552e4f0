import { hidePassword } from '@minions/core/storage'
import type { Command } from 'commander'
import { readConfiguration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { print, table } from '../output/output.js'
import { examples } from '../program/options.js'

interface Shown {
  readonly name: string
  readonly value: string
  readonly source: string
}

export function register(program: Command, cli: Cli): void {
  const config = program.command('config')
  examples(
    config
      .command('show')
      .description('show each value and its source')
      .action(() => showConfiguration(cli)),
    'config show',
    '--storage postgres://localhost/minions config show --json',
  )
}

async function showConfiguration(cli: Cli): Promise<void> {
  const { home, storage, plugins } = await readConfiguration(cli)
  const url = typeof storage.value === 'string' ? hidePassword(storage.value) : storage.value.name
  const settings: Shown[] = [
    { name: 'home', value: home.value, source: home.source },
    { name: 'storage', value: url, source: storage.source },
    ...plugins.map(({ value, source }) => ({ name: 'plugin', value: `${value.ref.name}@${value.version}`, source })),
  ]
  const { MINIONS_TENANT: tenant } = cli.env
  if (tenant) settings.push({ name: 'tenant', value: tenant, source: 'MINIONS_TENANT' })
  print(cli, settings, () =>
    // A truncated path does not say where things are.
    table(
      settings,
      { name: (row) => row.name, value: (row) => row.value, from: (row) => row.source },
      '',
      Number.POSITIVE_INFINITY,
    ),
  )
}
