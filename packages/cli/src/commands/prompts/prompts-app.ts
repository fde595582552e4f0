import { exporters } from '@minions/exporters'
import type { App } from '@minions/host'
import { prompts } from '@minions/prompts'
import { withApp } from '../../app/app.js'
import type { Cli } from '../../cli.js'
import { addCommand, type Command } from '../../program/command.js'

const plugins = [prompts(), exporters()] as const

export type PromptsApp = App<typeof plugins>

export const PROMPT = ['<prompt>', 'name, title, id, or id prefix'] as const

export const BY = ['--by <who>', 'who does it'] as const

export function withPrompts(cli: Cli, work: (app: PromptsApp) => Promise<void>): Promise<void> {
  return withApp(cli, [prompts(), exporters()], (app) => work(app))
}

/** Adds a command whose first argument is a prompt. */
export function promptCommand(parent: Command, name: string, description: string) {
  return addCommand(parent, name, description).argument(...PROMPT)
}

/** Runs `work` with the id of the prompt that a command names. */
export function withPrompt(
  cli: Cli,
  prompt: string,
  work: (app: PromptsApp, id: string) => Promise<void>,
): Promise<void> {
  return withPrompts(cli, async (app) => work(app, await app.prompts.resolve(prompt)))
}
