import type { Loss } from '@minions/exporters'
import type { Cli } from '../../cli.js'
import { readSource } from '../../input/content.js'
import { note, print, write, wrote } from '../../output/output.js'
import { writeWhole } from '../../output/write-file.js'
import { addCommand, type Command } from '../../program/command.js'
import { given } from '../../program/options.js'
import { printPrompt } from './prompt-output.js'
import { withPrompts } from './prompts-app.js'
import { readVariables, variableOptions } from './writing.js'

export function registerExchange(prompts: Command, cli: Cli): void {
  addCommand(prompts, 'export', 'write a prompt in another format')
    .examples('prompts export Greeting --output greeting.json', 'prompts export Greeting --format langchain')
    .with(variableOptions)
    .argument('<prompt>', 'name, title, id, or id prefix')
    .option(
      '--format <format>',
      'json, raw, openai, anthropic, ai-sdk, promptfoo, langfuse, dotprompt, langchain, llamaindex, mermaid, dot or one of a plugin',
      undefined,
      'json',
    )
    .option('--version <version>', 'a version by number or id')
    .option('--output <file>', 'a file instead of standard output')
    .option('--lossy', 'export what the format supports, and report what is lost')
    .action(async (prompt, options) => {
      const variables = await readVariables(cli, options)
      await withPrompts(cli, async (app) => {
        const reference = await app.prompts.resolve(prompt, options.version)
        const exported: unknown = await app.exporters.export(options.format, reference, {
          variables,
          ...(options.lossy && { onLoss: sayLost(cli) }),
        })
        const text = typeof exported === 'string' ? exported : JSON.stringify(exported, null, 2)
        if (options.output === undefined) return printExport(cli, exported, text, options.format)
        await writeWhole(cli, options.output, [text.endsWith('\n') ? text : `${text}\n`])
        wrote(cli, { output: options.output, format: options.format }, `Wrote ${options.output}`)
      })
    })
  addCommand(prompts, 'import', 'import a prompt in this or another format, all or nothing')
    .examples('prompts import greeting.json', 'prompts import support.prompt --format dotprompt --name support-bot')
    .createsStore()
    .argument('<file>', 'a file, or - for standard input')
    .option('--format <format>', 'json, openai, anthropic, ai-sdk, promptfoo, langfuse or dotprompt', undefined, 'json')
    .option('--name <name>', 'name of the new prompt; not for json')
    .option('--title <text>', 'title of the new prompt; not for json')
    .option('--lossy', 'import what a prompt supports, and report what is lost')
    .option('--by <who>', 'who does it')
    .action(async (file, options) => {
      const document = await readSource(cli, file)
      const { format, name, title, by, lossy } = options
      await withPrompts(cli, async (app) => {
        const onLoss = lossy ? sayLost(cli) : undefined
        const imported =
          format === 'json'
            ? await app.exporters.importJSON(document)
            : await app.exporters.import(format, document, given({ name, title, by, onLoss }))
        await printPrompt(cli, app, imported)
      })
    })
}

/** JSON formats are printed as they are; with `--json` other formats are wrapped. */
function printExport(cli: Cli, exported: unknown, text: string, format: string): void {
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

function sayLost(cli: Cli): (lost: readonly Loss[]) => void {
  return (lost) => {
    for (const { part, why } of lost) note(cli, `Lost: ${part}: ${why}.`)
  }
}
