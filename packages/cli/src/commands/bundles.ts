import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { prompts } from '@minions/prompts'
import type { Command } from 'commander'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { examples } from '../options.js'
import { print, table, wrote } from '../output.js'
import { writeWhole } from '../write-file.js'

interface ExportOptions {
  readonly all?: boolean
  readonly output?: string
}

export function register(program: Command, cli: Cli): void {
  examples(
    program
      .command('export')
      .option('--all', 'every collection in the store: also workspaces, skills, artifacts')
      .option('--output <file>', 'a file instead of standard output')
      .action((options: ExportOptions) => exportBundle(cli, options)),
    'export --output backup.jsonl',
    'export --all | gzip > backup.jsonl.gz',
  )
  examples(
    program
      .command('import')
      .argument('<file>', 'a bundle, or - for standard input')
      .action((file: string) => importBundle(cli, file)),
    'import backup.jsonl',
  )
}

async function exportBundle(cli: Cli, { all = false, output }: ExportOptions): Promise<void> {
  await withApp(cli, [prompts()], async (app) => {
    const lines = app.exportBundle({ all })
    if (output === undefined) {
      for await (const line of lines) if (!cli.stdout.write(line)) await once(cli.stdout, 'drain')
      return
    }
    await writeWhole(cli, output, lines)
    wrote(cli, { output }, `Wrote ${output}`)
  })
}

async function importBundle(cli: Cli, file: string): Promise<void> {
  const path = resolve(cli.cwd, file)
  if (file !== '-') {
    await access(path).catch((cause: Error) => {
      throw cliError('FILE_UNREADABLE', `${file} cannot be read: ${cause.message}.`, { cause })
    })
  }
  await withApp(cli, [prompts()], async (app) => {
    const report = await app.importBundle(file === '-' ? cli.stdin : createReadStream(path))
    const rows = Object.entries(report.added)
    print(cli, report, () => table(rows, { collection: ([name]) => name, added: ([, count]) => count }))
  })
}
