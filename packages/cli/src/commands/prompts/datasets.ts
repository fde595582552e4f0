import { createReadStream } from 'node:fs'
import { extname, resolve } from 'node:path'
import { messageOf } from '@minions/core'
import { systemCode } from '@minions/files'
import { DATASET_FORMATS, type DatasetFormat } from '@minions/prompts'
import { type Command, Option } from 'commander'
import type { Cli } from '../../cli.js'
import { cliError } from '../../errors.js'
import { print } from '../../output/output.js'
import { Progress } from '../../output/progress.js'
import { examples, given } from '../../program/options.js'
import { UsageError } from '../../program/usage-error.js'
import { withPrompts } from './prompts-app.js'

interface ImportTestsOptions {
  readonly format?: DatasetFormat
  readonly by?: string
}

/** `import-tests`. */
export function registerDatasets(prompts: Command, cli: Cli): void {
  examples(
    prompts
      .command('import-tests')
      .description('add the tests of a CSV or JSONL file to a prompt, all or none')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .argument('<file>', 'columns are variables; test.title, test.golden, test.contains and so on belong to the test')
      .addOption(
        new Option('--format <format>', 'format of the file (default: from its extension)').choices(DATASET_FORMATS),
      )
      .option('--by <who>', 'who does it')
      .action((prompt: string, file: string, options: ImportTestsOptions) => importTests(cli, prompt, file, options)),
    'prompts import-tests Greeting cases.csv',
  )
}

async function importTests(cli: Cli, prompt: string, file: string, options: ImportTestsOptions): Promise<void> {
  const format = options.format ?? formatOf(file)
  await withPrompts(cli, async (app) => {
    const id = await app.prompts.resolve(prompt)
    const progress = new Progress(cli)
    const added = await app.prompts.tests.import(id, format, () => textOf(cli, file), {
      ...given({ by: options.by }),
      onProgress: (done) => progress.update(`${done} tests`),
    })
    progress.done(`Added ${added} tests.`)
    if (cli.options.json) print(cli, { added }, () => '')
  })
}

function formatOf(file: string): DatasetFormat {
  const format = DATASET_FORMATS.find((known) => extname(file).toLowerCase() === `.${known}`)
  if (format !== undefined) return format
  throw new UsageError(`${file} ends neither in .csv nor in .jsonl; name its format with --format`)
}

/** The text of a file in chunks. */
async function* textOf(cli: Cli, file: string): AsyncGenerator<string> {
  const path = resolve(cli.cwd, file)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of createReadStream(path)) yield decoder.decode(piece as Buffer, { stream: true })
    yield decoder.decode()
  } catch (cause) {
    if (systemCode(cause) === undefined && !(cause instanceof TypeError)) throw cause
    throw cliError('FILE_UNREADABLE', `${file} cannot be read: ${messageOf(cause)}.`, { details: { path }, cause })
  }
}
