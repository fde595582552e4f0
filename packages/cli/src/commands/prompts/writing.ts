import { PRODUCTION, type PromptBody } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readObject } from '../../input/content.js'
import { note, print, write } from '../../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../../program/command.js'
import { collectPairs, collectTags, given, wholeNumber } from '../../program/options.js'
import { bodyOptions, editBody, readBody } from './body.js'
import { warnOfUnknownVariables, withFlags } from './missing-variables.js'
import { printPrompt, printPrompts } from './prompt-output.js'
import { BY, PROMPT, promptCommand, withPrompt, withPrompts } from './prompts-app.js'

export function registerWriting(prompts: Command, cli: Cli): void {
  addCommand(prompts, 'new', 'write a prompt')
    .examples(
      'prompts new --title Greeting --content "Hello {{name}}!"',
      'prompts new --title Greeting --content @greeting.txt',
      'prompts new --title Greeting --edit',
      `prompts new --title Support --messages '[{"role":"system","content":"Be kind."},{"placeholder":"history"}]'`,
    )
    .createsStore()
    .with(bodyOptions)
    .option('--title <text>')
    .option('--name <name>', 'such as support-bot (default: derived from the title)')
    .option('--description <text>')
    .option('--tag <tag>', 'may be repeated or separated by commas', collectTags)
    .option(...BY)
    .action(async (options) => {
      const title = await required(cli, options.title, '--title <text>', 'The title of the prompt')
      const body = options.edit ? undefined : await readBody(cli, options, 'Its text; {{name}} is a variable')
      const { name, description, tag: tags, by } = options
      await withPrompts(cli, async (app) => {
        const save = (written: PromptBody) =>
          app.prompts.create({ title, ...written, ...given({ name, description, tags }) }, given({ by }))
        const prompt = body ? await save(body) : await editBody(cli, options, { content: '' }, save)
        if (prompt) await printPrompt(cli, app, prompt)
        else note(cli, 'Nothing was written, so nothing was created.')
      })
    })
  promptCommand(prompts, 'show', 'show the published prompt, or a version')
    .examples('prompts show Greeting', 'prompts show Greeting --version 0')
    .option('--version <version>', 'a version by number, id, or id prefix; 0 is the original prompt')
    .onNamed(cli, withPrompt, async (app, id, { version }) =>
      printPrompt(cli, app, await app.prompts.get(await app.prompts.resolve(id, version)), version),
    )
  addCommand(prompts, 'list', 'list prompts, each with the version that is published')
    .examples('prompts list --tag crm')
    .option('--tag <tag>', 'tags that must all be present', collectTags)
    .option('--text <words>', 'words that must all be present')
    .option('--limit <n>', 'maximum number of prompts to show (100)', wholeNumber(1))
    .on(cli, withPrompts, async (app, options) => {
      const { tag: tags, text, limit } = options
      const { items, nextCursor } = await app.prompts.list(given({ tags, text, limit }))
      await printPrompts(cli, app, items)
      if (nextCursor !== undefined) note(cli, 'There are more: raise --limit.')
    })
  addCommand(prompts, 'render', 'render a prompt with values for its variables')
    .examples(
      'prompts render Greeting --var name=Ada',
      `prompts render Greeting --vars '{"items":["a","b"]}' --version 2`,
    )
    .argument(...PROMPT)
    .with(variableOptions)
    .option('--version <version>', 'a version by number, id, or beginning of an id (default: what is published)')
    .option('--label <label>', 'the version that this label points to, such as staging')
    .option('--key <key>', 'key of the request, where traffic is split')
    .option('--no-strict', 'leave placeholders without a value as they are')
    .action(async (prompt, options) => {
      const variables = await readVariables(cli, options)
      await withPrompts(cli, async (app) => {
        const { version, label, key, strict } = options
        const reference = await app.prompts.resolve(prompt, version)
        const text = await app.prompts
          .render(reference, variables, { strict, label, key })
          .catch(async (error: unknown) => {
            throw await withFlags(error, () => app.prompts.get(reference), variables)
          })
        warnOfUnknownVariables(cli, await app.prompts.get(reference), variables)
        if (!cli.options.json) return write(cli, text)
        const isLabelled = typeof reference === 'string' && (label !== undefined || key !== undefined)
        const { id } = isLabelled
          ? await app.prompts.labels.resolve(reference, label ?? PRODUCTION, key)
          : await app.prompts.get(reference)
        print(cli, { id, text }, () => text)
      })
    })
  promptCommand(prompts, 'rename', 'rename a prompt; the old name still refers to it')
    .examples('prompts rename greeting crm/greeting')
    .argument('<name>', 'such as support-bot')
    .option(...BY)
    .onNamed(cli, withPrompt, async (app, id, name, { by }) =>
      printPrompt(cli, app, await app.prompts.rename(id, name, given({ by }))),
    )
  promptCommand(prompts, 'lint', 'find likely mistakes; exits with 1 if there are any')
    .examples('prompts lint Greeting')
    .onNamed(cli, withPrompt, async (app, id) => {
      const problems = await app.prompts.lint(id)
      print(cli, problems, () =>
        problems.length === 0
          ? 'No likely mistakes found.'
          : problems.map(({ rule, message }) => `${rule}: ${message}`).join('\n'),
      )
      if (problems.length > 0) cli.exitCode = 1
    })
}

export function variableOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--var <name=value>', 'a variable; may be repeated', collectPairs)
    .option('--vars <json>', 'variables as a JSON object, @file or - for standard input')
}

export type VariableOptions = OptionsOf<typeof variableOptions>

/** The variables of a command line. Values of `--var` are text; other types come through `--vars`. */
export async function readVariables(cli: Cli, options: VariableOptions): Promise<Record<string, unknown>> {
  const values = options.vars === undefined ? {} : await readObject(cli, options.vars, '--vars')
  return Object.fromEntries([...Object.entries(values), ...(options.var ?? [])])
}
