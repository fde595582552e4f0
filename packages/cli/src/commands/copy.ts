import { hidePassword } from '@minions/core'
import type { Command } from 'commander'
import { backendFromUrl } from '../backend.js'
import type { Cli } from '../cli.js'
import { absoluteUrl, readConfiguration } from '../configuration.js'
import { confirm } from '../confirm.js'
import { type CopiedCollection, copyStore } from '../copy-store.js'
import { cliError } from '../errors.js'
import { homeWorkspaces, including, type WorkspacesOption, withWorkspacesOption } from '../home-workspaces.js'
import { examples } from '../options.js'
import { print, table } from '../output.js'
import { Progress } from '../progress.js'
import { assertExists, withStore } from '../store.js'

interface CopyOptions extends WorkspacesOption {
  readonly from: string
  readonly to: string
  readonly overwrite?: boolean
}

export function register(program: Command, cli: Cli): void {
  examples(
    withWorkspacesOption(
      program
        .command('copy')
        .requiredOption('--from <url>', 'the store to read')
        .requiredOption('--to <url>', 'the store to write; what it has already is kept')
        .option('--overwrite', 'replace records of the target that differ; asks first'),
    )
      .addHelpText('after', '\nA copy that broke off is carried on by running it again.')
      .action((options: CopyOptions) => copy(cli, options)),
    'copy --from sqlite:./minions.db --to postgres://localhost/minions',
  )
}

async function copy(cli: Cli, options: CopyOptions): Promise<void> {
  const [from, to] = [absoluteUrl(options.from, cli.cwd), absoluteUrl(options.to, cli.cwd)]
  if (from === to) throw cliError('VALIDATION_FAILED', 'Source and target are the same store.')
  assertExists(from)
  if (options.overwrite) await confirm(cli, `Replace what differs in ${hidePassword(to)}?`)
  const { storage } = await readConfiguration(cli)
  const workspaces = await homeWorkspaces(cli, options, cli.options.storage === undefined && storage.value === from)
  const backend = including(cli, workspaces, await backendFromUrl(from))
  const progress = new Progress(cli)
  const copied = await withStore(cli, backend, (source) =>
    withStore(cli, to, (target) =>
      copyStore(source, target, {
        onProgress: (collection, done) => progress.update(`copying ${collection}: ${done}`),
        signal: cli.signal,
        overwrite: options.overwrite ?? false,
      }),
    ),
  )
  const records = copied.reduce((sum, row) => sum + row.records, 0)
  progress.done(`${records} records are in ${hidePassword(to)}; counts and checksums agree.`)
  print(cli, { from: hidePassword(from), to: hidePassword(to), records, collections: copied }, () =>
    copiedTable(copied),
  )
}

function copiedTable(copied: readonly CopiedCollection[]): string {
  return table(
    copied,
    {
      collection: (row) => row.collection,
      records: (row) => row.records,
      written: (row) => row.written,
      sha256: (row) => row.checksum.slice(0, 16),
    },
    'The source is empty.',
  )
}
