import type { JsonObject } from '@minions/core/json'
import type { PromptBody, PromptMessage } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readContent, readJson, readObject } from '../../input/content.js'
import { edit, editObject } from '../../input/editor.js'
import type { CommandBuilder, OptionsOf } from '../../program/command.js'
import { given } from '../../program/options.js'

type Body = PromptBody & { readonly settings?: JsonObject; readonly responseSchema?: JsonObject }

export function bodyOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--content <template>', 'text, @file or - for standard input')
    .option('--messages <json>', 'a list of { role, content } or { placeholder } instead of a text; @file or -')
    .option('--settings <json>', 'settings of the model, such as {"temperature":0}; @file or -')
    .option('--response-schema <json>', 'JSON Schema that answers must match; @file or -')
    .option('--edit', 'write it in $EDITOR')
}

/** The content of a prompt or version on a command line. */
export type BodyOptions = OptionsOf<typeof bodyOptions>

/** The body from the options; without one, the user is prompted for the text. */
export async function readBody(cli: Cli, options: BodyOptions, question: string): Promise<Body> {
  const body = (await givenBody(cli, options)) ?? {
    content: await readContent(cli, await required(cli, undefined, '--content <template>', question)),
  }
  return { ...body, ...(await readSettings(cli, options)) }
}

/**
 * Opens an editor on the content from the options, or else the existing content, whose settings are kept. Undefined if
 * nothing was changed.
 */
export async function editBody<T>(
  cli: Cli,
  options: BodyOptions,
  before: Body,
  save: (body: Body) => Promise<T>,
): Promise<T | undefined> {
  const { settings, responseSchema, ...there } = before
  const start = (await givenBody(cli, options)) ?? there
  const more = { ...given({ settings, responseSchema }), ...(await readSettings(cli, options)) }
  if (start.messages !== undefined) {
    const comment = 'Messages are { role, content } or { placeholder }; {{name}} is a variable.'
    return editObject(cli, 'prompt', { value: { messages: start.messages }, comment }, ({ messages }) =>
      // The edited content may be anything; the prompt validates it.
      save({ messages: messages as PromptMessage[], ...more }),
    )
  }
  // Editors end a file with a newline, which is not part of the text.
  return edit(cli, 'prompt.md', `${start.content}\n`, (text) => save({ content: text.replace(/\r?\n$/, ''), ...more }))
}

/** The text or messages from the options; undefined without either. */
async function givenBody(cli: Cli, { messages, content }: BodyOptions): Promise<PromptBody | undefined> {
  if (messages !== undefined) return { messages: (await readJson(cli, messages, '--messages')) as PromptMessage[] }
  return content === undefined ? undefined : { content: await readContent(cli, content) }
}

async function readSettings(cli: Cli, options: BodyOptions): Promise<Pick<Body, 'settings' | 'responseSchema'>> {
  const object = async (value: string | undefined, flag: string) =>
    value === undefined ? undefined : ((await readObject(cli, value, flag)) as JsonObject)
  const settings = await object(options.settings, '--settings')
  const responseSchema = await object(options.responseSchema, '--response-schema')
  return given({ settings, responseSchema })
}
