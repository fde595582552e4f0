import type { JsonObject } from '@minions/core/json'
import type { PromptBody, PromptMessage } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readContent, readJson, readObject } from '../../input/content.js'
import { edit, editObject } from '../../input/editor.js'
import { given } from '../../program/options.js'

/** What a prompt or version says, on a command line. */
export interface BodyOptions {
  readonly content?: string
  readonly messages?: string
  readonly settings?: string
  readonly responseSchema?: string
  readonly edit?: boolean
}

/** What a prompt says, and with which settings. */
type Body = PromptBody & { readonly settings?: JsonObject; readonly responseSchema?: JsonObject }

export function withBody(command: Command): Command {
  return command
    .option('--content <template>', 'text, @file or - for standard input')
    .option('--messages <json>', 'a list of { role, content } or { placeholder } in place of a text; @file or -')
    .option('--settings <json>', 'settings of the model, such as {"temperature":0}; @file or -')
    .option('--response-schema <json>', 'JSON Schema that answers must fit; @file or -')
    .option('--edit', 'write it in $EDITOR')
}

/** The body that the options give; the user is asked for a text when they give none. */
export async function readBody(cli: Cli, options: BodyOptions, question: string): Promise<Body> {
  const body = (await givenBody(cli, options)) ?? {
    content: await readContent(cli, await required(cli, undefined, '--content <template>', question)),
  }
  return { ...body, ...(await readSettings(cli, options)) }
}

/**
 * Lets the user write in an editor, from what the options give or else from what there is, whose settings are kept. Undefined when nothing was
 * changed.
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
      // What an editor gives may be anything; the prompt judges it.
      save({ messages: messages as PromptMessage[], ...more }),
    )
  }
  // Editors end a file with a line break, which is not part of the text.
  return edit(cli, 'prompt.md', `${start.content}\n`, (text) => save({ content: text.replace(/\r?\n$/, ''), ...more }))
}

/** The text or messages that options give; undefined if they give neither. */
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
