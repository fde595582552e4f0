import { exporters } from '@minions/exporters'
import type { App } from '@minions/host'
import { type PromptMinion, prompts, promptTemplateType } from '@minions/prompts'
import { withApp } from '../../app.js'
import type { Cli } from '../../cli.js'
import { cliError } from '../../errors.js'
import { facts, show, table } from '../../output.js'

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

/** A version by number within its prompt, or whatever `promptId` finds. */
export async function versionId(app: PromptsApp, prompt: string, version: string | undefined): Promise<string> {
  if (version === undefined) return promptId(app, prompt)
  const chain = await app.prompts.history(await promptId(app, prompt))
  const found = chain.filter(
    (minion) => minion.id === version || String(numberOf(minion)) === version.replace(/^v/, ''),
  )
  const [only, second] = found
  if (only && !second) return only.id
  throw cliError('NOT_FOUND', `The prompt "${prompt}" has ${found.length} versions "${version}"; give an id.`)
}

/** A version as `publish` and `rollback` take it: its number, or its id. */
export function versionChoice(version: string | undefined): string | number | undefined {
  return version !== undefined && /^v?\d+$/.test(version) ? Number(version.replace(/^v/, '')) : version
}

/** The template counts as version 0. */
function numberOf({ fields }: PromptMinion): number | undefined {
  return 'versionNumber' in fields ? fields.versionNumber : 0
}

export function versionLabel(minion: PromptMinion): string {
  return `v${numberOf(minion) ?? '?'}`
}

export function promptFacts(minion: PromptMinion): string {
  const { id, title, createdAt, updatedAt, fields } = minion
  const { content, ...rest } = fields
  const head = facts({ id, title, version: versionLabel(minion), createdAt, updatedAt, ...rest })
  return `${head}\n\n${content.split('\n').map(show).join('\n')}`
}

export function promptTable(minions: readonly PromptMinion[]): string {
  return table(
    minions,
    {
      id: ({ id }) => id,
      version: versionLabel,
      title: ({ title }) => title,
      changelog: ({ fields }) => ('changelog' in fields ? fields.changelog : ''),
      created: ({ createdAt }) => createdAt,
    },
    'No prompts.',
  )
}
