import type { JsonObject } from '@minions/core/json'
import type { PromptBody, PromptMessage } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from '../../cli.js'
import { required } from '../../input/confirm.js'
import { readContent, readJson, readObject } from '../../input/content.js'
import { given } from '../../program/options.js'

/** What a prompt or version says, on a command line. */
export interface BodyOptions {
  readonly content?: string
  readonly messages?: string
  readonly settings?: string
  readonly responseSchema?: string
}

export function withBody(command: Command): Command {
  return command
    .option('--content <template>', 'text, @file or - for standard input')
    .option('--messages <json>', 'a list of { role, content } or { placeholder } in place of a text; @file or -')
    .option('--settings <json>', 'settings of the model, such as {"temperature":0}; @file or -')
    .option('--response-schema <json>', 'JSON Schema that answers must fit; @file or -')
}

/** The body that the options give; the user is asked for a text when they give none. */
export async function readBody(
  cli: Cli,
  options: BodyOptions,
  question: string,
): Promise<PromptBody & { settings?: JsonObject; responseSchema?: JsonObject }> {
  const object = async (value: string | undefined, flag: string) =>
    value === undefined ? undefined : ((await readObject(cli, value, flag)) as JsonObject)
  const settings = await object(options.settings, '--settings')
  const responseSchema = await object(options.responseSchema, '--response-schema')
  const more = given({ settings, responseSchema })
  if (options.messages !== undefined) {
    return { messages: (await readJson(cli, options.messages, '--messages')) as PromptMessage[], ...more }
  }
  const template = await required(cli, options.content, '--content <template>', question)
  return { content: await readContent(cli, template), ...more }
}
