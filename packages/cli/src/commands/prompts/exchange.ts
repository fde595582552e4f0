import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { readSource } from '../../content.js'
import { examples } from '../../options.js'
import { print, write, wrote } from '../../output.js'
import { createsStore } from '../../store-need.js'
import { writeWhole } from '../../write-file.js'
import { printPrompt } from './prompt-output.js'
import { withPrompts } from './prompts-app.js'
import { readVariables, type VariableOptions, withVariables } from './writing.js'

interface ExportOptions extends VariableOptions {
  readonly format: string
  readonly output?: string
  readonly version?: string
}

/** `export` and `import`. */
export function registerExchange(prompts: Command, cli: Cli): void {
  examples(
    withVariables(prompts.command('export').description('write a prompt in another format'))
      .argument('<prompt>', 'id or title')
      .option('--format <format>', 'json, raw, langchain, llamaindex, mermaid, dot or one of a plugin', 'json')
      .option('--version <version>', 'a version by number or id')
      .option('--output <file>', 'a file instead of standard output')
      .action((prompt: string, options: ExportOptions) => exportPrompt(cli, prompt, options)),
    'prompts export Greeting --output greeting.json',
    'prompts export Greeting --format langchain',
  )
  examples(
    createsStore(prompts.command('import'))
      .description('take in what export wrote as json, whole or not at all')
      .argument('<file>', 'a file, or - for standard input')
      .action((file: string) => importPrompt(cli, file)),
    'prompts import greeting.json',
  )
}

async function exportPrompt(cli: Cli, prompt: string, options: ExportOptions): Promise<void> {
  const variables = await readVariables(cli, options)
  await withPrompts(cli, async (app) => {
    const reference = await app.prompts.resolve(prompt, options.version)
    const exported: unknown = await app.exporters.export(options.format, reference, { variables })
    const text = typeof exported === 'string' ? exported : JSON.stringify(exported, null, 2)
    if (options.output === undefined) return printExport(cli, exported, text, options)
    await writeWhole(cli, options.output, [text.endsWith('\n') ? text : `${text}\n`])
    wrote(cli, { output: options.output, format: options.format }, `Wrote ${options.output}`)
  })
}

/** A format that is JSON is printed as it is; with `--json` other formats are wrapped. */
function printExport(cli: Cli, exported: unknown, text: string, { format }: ExportOptions): void {
  if (typeof exported !== 'string' || isJson(text)) write(cli, text)
  else print(cli, { format, text }, () => text)
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

async function importPrompt(cli: Cli, file: string): Promise<void> {
  const document = await readSource(cli, file)
  await withPrompts(cli, async (app) => {
    await printPrompt(cli, app, await app.exporters.importJSON(document))
  })
}
