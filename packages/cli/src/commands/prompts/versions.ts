import { messagesOf, type PromptBody, PromptDiff, promptVersionType } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { note, print } from '../../output/output.js'
import { addCommand, type Command } from '../../program/command.js'
import { given } from '../../program/options.js'
import { bodyOptions, editBody, readBody } from './body.js'
import { printHistory, printPrompt, versionLabel } from './prompt-output.js'
import { BY, PROMPT, type PromptsApp, promptCommand, withPrompt, withPrompts } from './prompts-app.js'

export function registerVersions(prompts: Command, cli: Cli): void {
  addCommand(prompts, 'version', 'add a version; what is published stays as it is')
    .examples(
      'prompts version Greeting --content "Good day, {{name}}." --changelog "More formal"',
      'prompts version Greeting --edit',
    )
    .with(bodyOptions)
    .argument(...PROMPT)
    .option('--changelog <text>', 'what it changes')
    .option('--title <text>')
    .option(...BY)
    .action(async (prompt, options) => {
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
    })
  for (const [name, description] of [
    ['publish', 'make a version the current state of its prompt; by default the latest'],
    ['rollback', 'publish an older version; by default the one before the published'],
  ] as const) {
    promptCommand(prompts, name, description)
      .examples(`prompts ${name} Greeting 1`)
      .argument('[version]', 'number, id, or id prefix')
      .option(...BY)
      .onNamed(cli, withPrompt, async (app, id, version, { by }) => {
        const published = await app.prompts[name](await app.prompts.resolve(id, version), given({ by }))
        await printPrompt(cli, app, published)
        note(cli, `${versionLabel(await app.prompts.published(published.id))} is published.`)
      })
  }
  promptCommand(prompts, 'history', 'all versions of a prompt, oldest first, and which of them is published')
    .examples('prompts history Greeting')
    .onNamed(cli, withPrompt, async (app, id) => printHistory(cli, app, await app.prompts.history(id)))
  promptCommand(prompts, 'diff', 'show what changed between two versions')
    .examples('prompts diff Greeting', 'prompts diff Greeting 0 2')
    .argument('[from]', 'number, id, or beginning of an id (default: the one before the latest)')
    .argument('[to]', 'number, id, or beginning of an id (default: the latest)')
    .onNamed(cli, withPrompt, async (app, id, from, to) => {
      const result = await app.prompts.changes(id, { from, to })
      print(cli, result, () => new PromptDiff().format(result, cli.isColoured) || 'They are the same.')
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
