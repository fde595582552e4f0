import { messagesOf, type PromptBody, PromptDiff, promptVersionType } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { note, print } from '../../output/output.js'
import { examples, given } from '../../program/options.js'
import { type BodyOptions, editBody, readBody, withBody } from './body.js'
import { printHistory, printPrompt, versionLabel } from './prompt-output.js'
import { type PromptsApp, withPrompts } from './prompts-app.js'

interface VersionOptions extends BodyOptions {
  readonly changelog?: string
  readonly title?: string
  readonly by?: string
}

/** `version`, `publish`, `rollback`, `history` and `diff`. */
export function registerVersions(prompts: Command, cli: Cli): void {
  examples(
    withBody(prompts.command('version'))
      .description('add a version; what is published stays as it is')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .option('--changelog <text>', 'what it changes')
      .option('--title <text>')
      .option('--by <who>', 'who does it')
      .action((prompt: string, options: VersionOptions) => addVersion(cli, prompt, options)),
    'prompts version Greeting --content "Good day, {{name}}." --changelog "More formal"',
    'prompts version Greeting --edit',
  )
  for (const [name, description] of [
    ['publish', 'make a version the current state of its prompt; by default the latest'],
    ['rollback', 'publish an older version; by default the one before the published'],
  ] as const) {
    examples(
      prompts
        .command(name)
        .description(description)
        .argument('<prompt>', 'name, title, id, or id prefix')
        .argument('[version]', 'number, id, or id prefix')
        .option('--by <who>', 'who does it')
        .action((prompt: string, version: string | undefined, options: { by?: string }) =>
          withPrompts(cli, async (app) => {
            const reference = await app.prompts.resolve(prompt, version)
            const published = await app.prompts[name](reference, given({ by: options.by }))
            await printPrompt(cli, app, published)
            note(cli, `${versionLabel(await app.prompts.published(published.id))} is published.`)
          }),
        ),
      `prompts ${name} Greeting 1`,
    )
  }
  examples(
    prompts
      .command('history')
      .description('all versions of a prompt, oldest first, and which of them is published')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .action((prompt: string) =>
        withPrompts(cli, async (app) => {
          await printHistory(cli, app, await app.prompts.history(await app.prompts.resolve(prompt)))
        }),
      ),
    'prompts history Greeting',
  )
  examples(
    prompts
      .command('diff')
      .description('show what changed between two versions')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .argument('[from]', 'number, id, or beginning of an id (default: the one before the latest)')
      .argument('[to]', 'number, id, or beginning of an id (default: the latest)')
      .action((prompt: string, from?: string, to?: string) => diff(cli, prompt, from, to)),
    'prompts diff Greeting',
    'prompts diff Greeting 0 2',
  )
}

async function addVersion(cli: Cli, prompt: string, options: VersionOptions): Promise<void> {
  const body = options.edit ? undefined : await readBody(cli, options, 'The text of the new version')
  const { changelog, title, by } = options
  await withPrompts(cli, async (app) => {
    const id = await app.prompts.resolve(prompt)
    const save = (written: PromptBody) =>
      app.prompts.addVersion(id, { ...written, ...given({ changelog, title }) }, given({ by }))
    const version = body ? await save(body) : await editBody(cli, options, await latestBody(app, id), save)
    if (version) await printPrompt(cli, app, version)
    else note(cli, 'Nothing was changed.')
  })
}

/** The latest of a prompt, or the version whose id it is. */
async function latestBody(app: PromptsApp, id: string) {
  const minion = await app.prompts.get(id)
  const version = minion.minionTypeId === promptVersionType.id ? minion : await app.prompts.latest(id)
  const { content, settings, responseSchema } = version.fields
  const messages = messagesOf(version)
  return { ...(messages ? { messages } : { content }), ...given({ settings, responseSchema }) }
}

async function diff(cli: Cli, prompt: string, from?: string, to?: string): Promise<void> {
  await withPrompts(cli, async (app) => {
    const result = await app.prompts.changes(prompt, { from, to })
    print(cli, result, () => new PromptDiff().format(result, cli.isColoured) || 'They are the same.')
  })
}
