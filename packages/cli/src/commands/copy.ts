import { hidePassword, type Store } from '@minions/core/storage'
import { absoluteUrl, readConfiguration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { confirm } from '../input/confirm.js'
import { print, table } from '../output/output.js'
import { Progress } from '../output/progress.js'
import { addCommand, type Command } from '../program/command.js'
import { backendFromUrl } from '../store/backend.js'
import { type CopiedCollection, copyStore } from '../store/copy-store.js'
import { assertExists, withStore } from '../store/store.js'
import { homeWorkspaces, including, workspacesOption } from '../workspaces/home-workspaces.js'

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'copy')
    .requiredOption('--from <url>', 'the store to read')
    .requiredOption('--to <url>', 'the store to write; existing records are kept')
    .option('--overwrite', 'replace records of the target that differ; asks for confirmation')
    .with(workspacesOption)
    .note('If a copy is interrupted, run it again to continue.')
    .examples('copy --from sqlite:./minions.db --to postgres://localhost/minions')
    .action(async (options) => {
      const [from, to] = [absoluteUrl(options.from, cli.cwd), absoluteUrl(options.to, cli.cwd)]
      if (from === to) throw cliError('VALIDATION_FAILED', 'Source and target are the same store.')
      assertExists(from)
      if (options.overwrite) await confirm(cli, `Replace what differs in ${hidePassword(to)}?`)
      const { storage, plugins: configured } = await readConfiguration(cli)
      const plugins = configured.map(({ value }) => value)
      const workspaces = await homeWorkspaces(cli, options, cli.options.storage === undefined && storage.value === from)
      const backend = including(cli, workspaces, await backendFromUrl(cli, from, plugins))
      const progress = new Progress(cli)
      const work = (source: Store, target: Store) =>
        copyStore(source, target, {
          onProgress: (collection, done, total) => progress.update(`copying ${collection}: ${done} of ${total}`),
          signal: cli.signal,
          overwrite: options.overwrite ?? false,
        })
      const copied = await withStore(cli, backend, (source) =>
        withStore(cli, to, (target) => work(source, target), plugins),
      )
      const records = copied.reduce((sum, row) => sum + row.records, 0)
      progress.done(`${records} records are in ${hidePassword(to)}; counts and checksums agree.`)
      print(cli, { from: hidePassword(from), to: hidePassword(to), records, collections: copied }, () =>
        copiedTable(copied),
      )
    })
}

function copiedTable(copied: readonly CopiedCollection[]): string {
  return table(
    copied.filter(({ records }) => records > 0),
    'The source is empty.',
    { collection: 'collection', records: 'records', written: 'written', sha256: (row) => row.checksum.slice(0, 16) },
  )
}
