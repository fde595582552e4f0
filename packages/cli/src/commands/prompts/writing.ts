import { PRODUCTION, type PromptBody } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readObject } from '../../input/content.js'
import { note, print, write } from '../../output/output.js'
import { collectPairs, collectTags, examples, given, wholeNumber } from '../../program/options.js'
import { createsStore } from '../../store/store-need.js'
import { type BodyOptions, editBody, readBody, withBody } from './body.js'
import { warnOfUnknownVariables, withFlags } from './missing-variables.js'
import { printPrompt, printPrompts } from './prompt-output.js'
import { withPrompts } from './prompts-app.js'

interface NewOptions extends BodyOptions {
  readonly title?: string
  readonly name?: string
  readonly description?: string
  readonly tag?: string[]
  readonly by?: string
}

interface RenderOptions extends VariableOptions {
  readonly version?: string
  readonly label?: string
  readonly key?: string
  readonly strict: boolean
}

export interface VariableOptions {
  readonly var?: [string, string][]
  readonly vars?: string
}

/** `new`, `show`, `list`, `render` and `lint`. */
export function registerWriting(prompts: Command, cli: Cli): void {
  examples(
    withBody(createsStore(prompts.command('new')))
      .description('write a prompt')
      .option('--title <text>')
      .option('--name <name>', 'such as support-bot (default: derived from the title)')
      .option('--description <text>')
      .option('--tag <tag>', 'may be repeated or separated by commas', collectTags)
      .option('--by <who>', 'who does it')
      .action((options: NewOptions) => create(cli, options)),
    'prompts new --title Greeting --content "Hello {{name}}!"',
    'prompts new --title Greeting --content @greeting.txt',
    'prompts new --title Greeting --edit',
    `prompts new --title Support --messages '[{"role":"system","content":"Be kind."},{"placeholder":"history"}]'`,
  )
  examples(
    prompts
      .command('show')
      .description('show the published prompt, or a version')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .option('--version <version>', 'a version by number, id, or id prefix; 0 is the original prompt')
      .action((prompt: string, { version }: { version?: string }) =>
        withPrompts(cli, async (app) => {
          const minion = await app.prompts.get(await app.prompts.resolve(prompt, version))
          await printPrompt(cli, app, minion, version)
        }),
      ),
    'prompts show Greeting',
    'prompts show Greeting --version 0',
  )
  examples(
    prompts
      .command('list')
      .description('list prompts, each with the version that is published')
      .option('--tag <tag>', 'tags that must all be present', collectTags)
      .option('--text <words>', 'words that must all be present')
      .option('--limit <n>', 'maximum number of prompts to show (100)', wholeNumber(1))
      .action((options: { tag?: string[]; text?: string; limit?: number }) =>
        withPrompts(cli, async (app) => {
          const { tag: tags, text, limit } = options
          const { items, nextCursor } = await app.prompts.list(given({ tags, text, limit }))
          await printPrompts(cli, app, items)
          if (nextCursor !== undefined) note(cli, 'There are more: raise --limit.')
        }),
      ),
    'prompts list --tag crm',
  )
  examples(
    withVariables(
      prompts
        .command('render')
        .description('render a prompt with values for its variables')
        .argument('<prompt>', 'name, title, id, or id prefix'),
    )
      .option('--version <version>', 'a version by number, id, or beginning of an id (default: what is published)')
      .option('--label <label>', 'the version that this label points to, such as staging')
      .option('--key <key>', 'key of the request, where traffic is split')
      .option('--no-strict', 'leave placeholders without a value as they are')
      .action((prompt: string, options: RenderOptions) => render(cli, prompt, options)),
    'prompts render Greeting --var name=Ada',
    `prompts render Greeting --vars '{"items":["a","b"]}' --version 2`,
  )
  examples(
    prompts
      .command('rename')
      .description('rename a prompt; the old name still refers to it')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .argument('<name>', 'such as support-bot')
      .option('--by <who>', 'who does it')
      .action((prompt: string, name: string, { by }: { by?: string }) =>
        withPrompts(cli, async (app) => {
          const id = await app.prompts.resolve(prompt)
          await printPrompt(cli, app, await app.prompts.rename(id, name, given({ by })))
        }),
      ),
    'prompts rename greeting crm/greeting',
  )
  examples(
    prompts
      .command('lint')
      .description('find likely mistakes; exits with 1 if there are any')
      .argument('<prompt>', 'name, title, id, or id prefix')
      .action((prompt: string) => lint(cli, prompt)),
    'prompts lint Greeting',
  )
}

export function withVariables(command: Command): Command {
  return command
    .option('--var <name=value>', 'a variable; may be repeated', collectPairs)
    .option('--vars <json>', 'variables as a JSON object, @file or - for standard input')
}

/** The variables of a command line. Values of `--var` are text; other types come through `--vars`. */
export async function readVariables(cli: Cli, options: VariableOptions): Promise<Record<string, unknown>> {
  const values = options.vars === undefined ? {} : await readObject(cli, options.vars, '--vars')
  return Object.fromEntries([...Object.entries(values), ...(options.var ?? [])])
}

async function create(cli: Cli, options: NewOptions): Promise<void> {
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
}

async function render(cli: Cli, prompt: string, options: RenderOptions): Promise<void> {
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
}

async function lint(cli: Cli, prompt: string): Promise<void> {
  await withPrompts(cli, async (app) => {
    const problems = await app.prompts.lint(await app.prompts.resolve(prompt))
    print(cli, problems, () =>
      problems.length === 0
        ? 'No likely mistakes found.'
        : problems.map(({ rule, message }) => `${rule}: ${message}`).join('\n'),
    )
    if (problems.length > 0) cli.exitCode = 1
  })
}
