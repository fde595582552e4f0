import { type NamedPrompt, type PromptMinion, versionNumber } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { facts, print, printTable, show, table } from '../../output/output.js'
import type { PromptsApp } from './prompts-app.js'

/** Prints a prompt or version, and which version of the prompt is published. */
export async function printPrompt(cli: Cli, app: PromptsApp, minion: PromptMinion, version?: string): Promise<void> {
  const published = await app.prompts.published(minion.id)
  const name = (await app.prompts.nameOf(minion.id)) ?? null
  print(cli, { ...minion, publishedVersion: versionNumber(published), name }, () => {
    const { id, title, createdAt, updatedAt, fields } = minion
    const { content, ...rest } = fields
    // Without a version, a prompt shows what is published, so nothing more is needed.
    const own = version !== undefined || 'versionNumber' in fields ? { version: versionLabel(minion) } : {}
    const head = facts({ id, name, title, ...own, published: versionLabel(published), createdAt, updatedAt, ...rest })
    return `${head}\n\n${content.split('\n').map(show).join('\n')}`
  })
}

export async function printPrompts(cli: Cli, app: PromptsApp, prompts: readonly NamedPrompt[]): Promise<void> {
  const published = await app.prompts.publishedVersions(prompts)
  const publishedOf = (prompt: NamedPrompt) => published.get(prompt.id) ?? prompt
  const rows = prompts.map((prompt) => ({ ...prompt, publishedVersion: versionNumber(publishedOf(prompt)) }))
  print(cli, rows, () =>
    table(prompts, 'No prompts.', {
      id: 'id',
      name: 'name',
      published: (prompt) => versionLabel(publishedOf(prompt)),
      title: 'title',
      created: 'createdAt',
    }),
  )
}

/** Prints the versions of a prompt, and which of them is published. */
export async function printHistory(cli: Cli, app: PromptsApp, chain: readonly PromptMinion[]): Promise<void> {
  const [first] = chain
  const published = first && (await app.prompts.published(first.id))
  const rows = chain.map((minion) => ({
    ...minion,
    version: versionNumber(minion),
    published: minion.id === published?.id,
  }))
  printTable(cli, rows, 'Nothing to show.', {
    id: 'id',
    version: versionLabel,
    title: 'title',
    changelog: ({ fields }) => ('changelog' in fields ? fields.changelog : ''),
    published: (row) => (row.published ? 'yes' : ''),
    created: 'createdAt',
  })
}

export function versionLabel(minion: PromptMinion): string {
  return `v${versionNumber(minion) ?? '?'}`
}
