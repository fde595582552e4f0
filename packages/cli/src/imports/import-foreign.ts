import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { prompts } from '@minions/prompts'
import type { ForeignFormat } from '@minions/storage-fs'
import { withApp } from '../app/app.js'
import { homeOf } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { note, print, table } from '../output/output.js'
import { withWorkspaces } from '../workspaces/workspaces.js'
import type { ForeignContent } from './foreign-content.js'
import { takeInHome } from './miminions.js'
import { readPromptsExport } from './minions-prompts.js'
import { readSdkFolder } from './minions-sdk.js'
import { Refused } from './refused.js'
import { takeIn } from './take-in.js'

/** The result of an import: how many records were found, and how many are new here. */
interface Report {
  readonly read: Readonly<Record<string, number>>
  readonly added: Readonly<Record<string, number>>
}

/** Imports the data of another program from a path. */
export async function importForeign(cli: Cli, format: ForeignFormat, given: string): Promise<void> {
  const path = resolve(cli.cwd, given)
  await stat(path).catch((cause: Error) => {
    throw cliError('FILE_UNREADABLE', `${given} cannot be read: ${cause.message}.`, { cause })
  })
  const report = await (format === 'miminions' ? importHome(cli, path) : importRecords(cli, format, path)).catch(
    (error: unknown) => {
      throw error instanceof Refused ? refusal(cli, error) : error
    },
  )
  const names = Object.keys(report.read)
  print(cli, report, () =>
    table(names, 'Nothing to show.', {
      what: (name) => name,
      read: (name) => report.read[name],
      added: (name) => report.added[name],
    }),
  )
}

async function importRecords(cli: Cli, format: Exclude<ForeignFormat, 'miminions'>, path: string): Promise<Report> {
  const content = await contentOf(format, path)
  const found = content.types.length + content.minions.length + content.relations.length + content.problems.length
  if (found === 0) throw cliError('NOT_FOUND', `There is no data of ${format} in ${path}.`, { details: { path } })
  return withApp(cli, [prompts()], (app) => takeIn(app, content))
}

async function contentOf(format: Exclude<ForeignFormat, 'miminions'>, path: string): Promise<ForeignContent> {
  if (format === 'minions-sdk') return readSdkFolder(path)
  try {
    return await readPromptsExport(path)
  } catch (cause) {
    throw cliError('FILE_UNREADABLE', `${path} is not data of minions-prompts: ${(cause as Error).message}.`, { cause })
  }
}

async function importHome(cli: Cli, path: string): Promise<Report> {
  if (cli.options.storage === undefined && path === homeOf(cli).value) {
    throw cliError('VALIDATION_FAILED', `${path} is the current home folder; its workspaces are used as they are.`)
  }
  let taken = { read: 0, added: 0 }
  await withWorkspaces(cli, async ({ manager }) => {
    taken = await takeInHome(path, manager)
  })
  const { read, added } = taken
  if (read === 0) throw cliError('NOT_FOUND', `There are no workspaces in ${path}.`, { details: { path } })
  note(cli, 'Agents, settings and the memory database of MiMinions are not imported.')
  return { read: { workspaces: read }, added: { workspaces: added } }
}

function refusal(cli: Cli, { problems }: Refused): Error {
  for (const { where, message } of problems) note(cli, `${where}: ${message.replace(/\.$/, '')}`)
  const [first] = problems
  const count = problems.length === 1 ? '1 record' : `${problems.length} records`
  return cliError(
    'IMPORT_REFUSED',
    `${count} cannot be imported, starting with ${first?.where}: ${first?.message.replace(/\.$/, '')}. Nothing was imported.`,
    { details: { problems } },
  )
}
