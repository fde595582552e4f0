import { createReadStream } from 'node:fs'
import { extname, resolve } from 'node:path'
import { messageOf } from '@minions/core'
import { systemCode } from '@minions/files'
import { DATASET_FORMATS, type DatasetFormat } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { cliError } from '../../errors.js'
import { print } from '../../output/output.js'
import { Progress } from '../../output/progress.js'
import { addCommand, type Command } from '../../program/command.js'
import { given } from '../../program/options.js'
import { UsageError } from '../../program/usage-error.js'
import { BY, PROMPT, withPrompts } from './prompts-app.js'

export function registerDatasets(prompts: Command, cli: Cli): void {
  addCommand(prompts, 'import-tests', 'add the tests of a CSV or JSONL file to a prompt, all or none')
    .examples('prompts import-tests Greeting cases.csv')
    .argument(...PROMPT)
    .argument('<file>', 'columns are variables; test.title, test.golden, test.contains and so on belong to the test')
    .choice('--format <format>', DATASET_FORMATS, 'format of the file (default: from its extension)')
    .option(...BY)
    .action(async (prompt, file, options) => {
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
    })
}

function formatOf(file: string): DatasetFormat {
  const format = DATASET_FORMATS.find((known) => extname(file).toLowerCase() === `.${known}`)
  if (format !== undefined) return format
  throw new UsageError(`${file} ends neither in .csv nor in .jsonl; name its format with --format`)
}

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
