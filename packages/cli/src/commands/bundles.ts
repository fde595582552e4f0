import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { hidePassword, type StorageBackend } from '@minions/core'
import { prompts } from '@minions/prompts'
import type { ForeignFormat } from '@minions/storage-fs'
import { type Command, Option } from 'commander'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import type { Configuration } from '../configuration.js'
import { cliError } from '../errors.js'
import { homeWorkspaces, including, type WorkspacesOption, withWorkspacesOption } from '../home-workspaces.js'
import { importForeign } from '../imports/import-foreign.js'
import { examples } from '../options.js'
import { note, print, table, wrote } from '../output.js'
import { createsStore } from '../store-need.js'
import { UsageError } from '../usage-error.js'
import { writeWhole } from '../write-file.js'

interface ExportOptions extends WorkspacesOption {
  readonly all?: boolean
  readonly output?: string
}

const PROGRAMS: readonly ForeignFormat[] = ['minions-sdk', 'minions-prompts', 'miminions']

export function register(program: Command, cli: Cli): void {
  examples(
    withWorkspacesOption(
      program
        .command('export')
        .option('--all', 'every collection in the store: also workspaces, skills, artifacts')
        .option('--output <file>', 'a file instead of standard output'),
    ).action((options: ExportOptions) => exportBundle(cli, options)),
    'export --output backup.jsonl',
    'export --all | gzip > backup.jsonl.gz',
  )
  examples(
    createsStore(program.command('import'))
      .argument('<file>', 'a bundle, or - for standard input; with --from, a folder or file of another program')
      .addOption(new Option('--from <program>', 'what another program left').choices(PROGRAMS))
      .action((file: string, { from }: { from?: ForeignFormat }) =>
        from === undefined ? importBundle(cli, file) : importForeign(cli, from, file),
      ),
    'import backup.jsonl',
    'import --from minions-sdk ./data/minions',
    'import --from minions-prompts ./prompt.json',
    'import --from miminions ~/.miminions',
  )
}

async function exportBundle(cli: Cli, options: ExportOptions): Promise<void> {
  const { all = false, output } = options
  if (options.workspaces && !all) throw new UsageError('--workspaces is for --all; add it')
  const workspaces = all ? await homeWorkspaces(cli, options, cli.options.storage === undefined) : []
  const wrap = (backend: StorageBackend) => including(cli, workspaces, backend)
  await withApp(
    cli,
    [prompts()],
    async (app) => {
      const lines = app.exportBundle({ all })
      if (output === undefined) {
        for await (const line of lines) if (!cli.stdout.write(line)) await once(cli.stdout, 'drain')
        return
      }
      await writeWhole(cli, output, lines)
      wrote(cli, { output }, `Wrote ${output}`)
    },
    { wrap },
  )
}

async function importBundle(cli: Cli, file: string): Promise<void> {
  const path = resolve(cli.cwd, file)
  if (file !== '-') await assertFile(file, path)
  await withApp(cli, [prompts()], async (app, configuration) => {
    const report = await app.importBundle(file === '-' ? cli.stdin : createReadStream(path))
    const rows = Object.entries(report.added)
    print(cli, report, () => table(rows, { collection: ([name]) => name, added: ([, count]) => count }))
    noteWorkspaces(cli, report.added.workspaces ?? 0, configuration)
  })
}

/** Commands for workspaces look into the home folder unless they are told where else. */
function noteWorkspaces(cli: Cli, count: number, { storage }: Configuration): void {
  if (count === 0 || cli.options.storage !== undefined || typeof storage.value !== 'string') return
  note(
    cli,
    `The workspaces are in the store; see them with: minions workspace list --storage ${hidePassword(storage.value)}`,
  )
}

async function assertFile(file: string, path: string): Promise<void> {
  const found = await stat(path).catch((cause: Error) => {
    throw cliError('FILE_UNREADABLE', `${file} cannot be read: ${cause.message}.`, { cause })
  })
  if (!found.isDirectory()) return
  const { foreignFormat } = await import('@minions/storage-fs')
  const format = foreignFormat(path)
  const remedy = format === undefined ? 'a bundle is a file' : `import it with: minions import --from ${format} ${file}`
  throw cliError('FILE_UNREADABLE', `${file} is a folder; ${remedy}.`, { details: { path, format: format ?? null } })
}
