import { type PromptTemplateMinion, promptTemplateType } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { required } from '../../confirm.js'
import { readContent, readObject } from '../../content.js'
import { collectPairs, collectTags, examples, given, wholeNumber } from '../../options.js'
import { note, print, write } from '../../output.js'
import { createsStore } from '../../store-need.js'
import { printPrompt, printPrompts } from './prompt-output.js'
import { withPrompts } from './prompts-app.js'

interface NewOptions {
  readonly title?: string
  readonly content?: string
  readonly description?: string
  readonly tag?: string[]
  readonly by?: string
}

interface RenderOptions extends VariableOptions {
  readonly version?: string
  readonly strict: boolean
}

export interface VariableOptions {
  readonly var?: [string, string][]
  readonly vars?: string
}

/** `new`, `show`, `list`, `render` and `lint`. */
export function registerWriting(prompts: Command, cli: Cli): void {
  examples(
    createsStore(prompts.command('new'))
      .description('write a prompt')
      .option('--title <text>')
      .option('--content <template>', 'text, @file or - for standard input')
      .option('--description <text>')
      .option('--tag <tag>', 'may be repeated or separated by commas', collectTags)
      .option('--by <who>', 'who does it')
      .action((options: NewOptions) => create(cli, options)),
    'prompts new --title Greeting --content "Hello {{name}}!"',
    'prompts new --title Greeting --content @greeting.txt',
  )
  examples(
    prompts
      .command('show')
      .description('show a prompt as it is published, or a version')
      .argument('<prompt>', 'id or title')
      .option('--version <version>', 'a version by number or id; 0 is the prompt as it was at first')
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
      .option('--tag <tag>', 'tags that must all be there', collectTags)
      .option('--limit <n>', 'most prompts to show (100)', wholeNumber(1))
      .action((options: { tag?: string[]; limit?: number }) =>
        withPrompts(cli, async (app) => {
          const query = given({ tags: options.tag, limit: options.limit })
          const { items, nextCursor } = await app.find({ type: promptTemplateType.id, ...query })
          await printPrompts(cli, app, items as PromptTemplateMinion[])
          if (nextCursor !== undefined) note(cli, 'There are more: raise --limit.')
        }),
      ),
    'prompts list --tag crm',
  )
  examples(
    withVariables(prompts.command('render').description('fill a prompt in').argument('<prompt>', 'id or title'))
      .option('--version <version>', 'a version by number or id; what is published unless given')
      .option('--no-strict', 'leave placeholders without a value as they are')
      .action((prompt: string, options: RenderOptions) => render(cli, prompt, options)),
    'prompts render Greeting --var name=Ada',
    `prompts render Greeting --vars '{"items":["a","b"]}' --version 2`,
  )
  examples(
    prompts
      .command('lint')
      .description('look for what is likely to go wrong; exit with 1 when there is something')
      .argument('<prompt>', 'id or title')
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
  const template = await required(cli, options.content, '--content <template>', 'Its text; {{name}} is a variable')
  const content = await readContent(cli, template)
  const { description, tag: tags, by } = options
  await withPrompts(cli, async (app) => {
    const prompt = await app.prompts.create({ title, content, ...given({ description, tags }) }, given({ by }))
    await printPrompt(cli, app, prompt)
  })
}

async function render(cli: Cli, prompt: string, options: RenderOptions): Promise<void> {
  const variables = await readVariables(cli, options)
  await withPrompts(cli, async (app) => {
    const reference = await app.prompts.resolve(prompt, options.version)
    const text = await app.prompts.render(reference, variables, { strict: options.strict })
    if (cli.options.json) print(cli, { id: (await app.prompts.get(reference)).id, text }, () => text)
    else write(cli, text)
  })
}

async function lint(cli: Cli, prompt: string): Promise<void> {
  await withPrompts(cli, async (app) => {
    const problems = await app.prompts.lint(await app.prompts.resolve(prompt))
    print(cli, problems, () =>
      problems.length === 0 ? 'Nothing to say.' : problems.map(({ rule, message }) => `${rule}: ${message}`).join('\n'),
    )
    if (problems.length > 0) cli.exitCode = 1
  })
}
