import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { BundleSource } from '@minions/core/client'
import { hidePassword, type StorageBackend } from '@minions/core/storage'
import { prompts } from '@minions/prompts'
import type { ForeignFormat } from '@minions/storage-fs'
import { withApp } from '../app/app.js'
import type { Configuration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { importForeign } from '../imports/import-foreign.js'
import { note, print, table, wrote } from '../output/output.js'
import { Progress } from '../output/progress.js'
import { writeWhole } from '../output/write-file.js'
import { addCommand, type Command } from '../program/command.js'
import { UsageError } from '../program/usage-error.js'
import { homeWorkspaces, including, workspacesOption } from '../workspaces/home-workspaces.js'

const PROGRAMS: readonly ForeignFormat[] = ['minions-sdk', 'minions-prompts', 'miminions']

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'export')
    .examples('export --output backup.jsonl', 'export --all | gzip > backup.jsonl.gz')
    .option('--all', 'every collection in the store, including workspaces, skills and artifacts')
    .option('--output <file>', 'a file instead of standard output')
    .with(workspacesOption)
    .action(async (options) => {
      const { all = false, output } = options
      if (options.workspaces && !all) throw new UsageError('--workspaces needs --all; add it')
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
    })
  addCommand(program, 'import')
    .examples(
      'import backup.jsonl',
      'import --from minions-sdk ./data/minions',
      'import --from minions-prompts ./prompt.json',
      'import --from miminions ~/.miminions',
    )
    .createsStore()
    .argument('<file>', 'a bundle, or - for standard input; with --from, a folder or file of another program')
    .choice('--from <program>', PROGRAMS, 'the program that wrote the data')
    .action((file, { from }) => (from === undefined ? importBundle(cli, file) : importForeign(cli, from, file)))
}

async function importBundle(cli: Cli, file: string): Promise<void> {
  const path = resolve(cli.cwd, file)
  if (file !== '-') await assertFile(file, path)
  await withApp(cli, [prompts()], async (app, configuration) => {
    const progress = new Progress(cli)
    const report = await app.importBundle(await readWithProgress(path, file, cli, progress))
    const rows = Object.entries(report.added).filter(([, count]) => count > 0)
    const total = rows.reduce((sum, [, count]) => sum + count, 0)
    progress.done(`${total} records were added.`)
    print(cli, report, () =>
      table(rows, 'All records already existed.', { collection: ([name]) => name, added: ([, count]) => count }),
    )
    noteWorkspaces(cli, report.added.workspaces ?? 0, configuration)
  })
}

/** The content of a bundle; progress is shown while it is read. */
async function readWithProgress(path: string, file: string, cli: Cli, progress: Progress): Promise<BundleSource> {
  if (file === '-') return cli.stdin
  const total = (await stat(path)).size
  return counted(createReadStream(path), (done) =>
    progress.update(done < total ? `reading ${file}: ${inMegabytes(done)} of ${inMegabytes(total)} MB` : 'writing'),
  )
}

async function* counted(chunks: AsyncIterable<Buffer>, tell: (done: number) => void): AsyncGenerator<Buffer> {
  let done = 0
  for await (const chunk of chunks) {
    done += chunk.length
    tell(done)
    yield chunk
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}

/** Workspace commands use the home folder by default. */
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
