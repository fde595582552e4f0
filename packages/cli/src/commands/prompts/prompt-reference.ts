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
  const choice = await versionChoice(app, id, version)
  return choice === undefined ? id : { prompt: id, version: choice }
}

/** Whether a text can be the number of a version, `2` or `v2`. */
export function isVersionNumber(text: string): boolean {
  return /^v?\d+$/.test(text)
}

/** A version of a prompt as `publish` and `rollback` take it: its id, which may look like a number, or its number. */
export async function versionChoice(
  app: PromptsApp,
  id: string,
  version: string | undefined,
): Promise<string | number | undefined> {
  if (version === undefined || !isVersionNumber(version)) return version
  const isId = (await app.prompts.history(id)).some((minion) => minion.id === version)
  return isId ? version : Number(version.replace(/^v/, ''))
}
