import { exporters } from '@minions/exporters'
import type { App } from '@minions/host'
import { type PromptReference, prompts, promptTemplateType } from '@minions/prompts'
import { withApp } from '../../app.js'
import type { Cli } from '../../cli.js'
import { cliError } from '../../errors.js'

const plugins = [prompts(), exporters()] as const

export type PromptsApp = App<typeof plugins>

/** Runs `work` with an app that has prompts and exporters. */
export function withPrompts<T>(cli: Cli, work: (app: PromptsApp) => Promise<T>): Promise<T> {
  return withApp(cli, [prompts(), exporters()], (app) => work(app))
}

/** The id of a prompt or version that is given by its id or, for prompts, by its title. Throws `NOT_FOUND`. */
export async function promptId(app: PromptsApp, reference: string): Promise<string> {
  if (await app.get(reference)) return reference
  const { items } = await app.find({ type: promptTemplateType.id, where: { title: reference }, limit: 2 })
  const [found, other] = items
  if (found && !other) return found.id
  const problem = found ? 'is the title of several prompts' : 'is neither the id nor the title of a prompt'
  throw cliError('NOT_FOUND', `"${reference}" ${problem}; see them with: minions prompts list`)
}

/** A prompt as it is published or, given a number or id, one of its versions. */
export async function promptReference(
  app: PromptsApp,
  prompt: string,
  version: string | undefined,
): Promise<PromptReference> {
  const id = await promptId(app, prompt)
  const choice = versionChoice(version)
  return choice === undefined ? id : { prompt: id, version: choice }
}

/** A version as `publish` and `rollback` take it: its number, or its id. */
export function versionChoice(version: string | undefined): string | number | undefined {
  return version !== undefined && /^v?\d+$/.test(version) ? Number(version.replace(/^v/, '')) : version
}
