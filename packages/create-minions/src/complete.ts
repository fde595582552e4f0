import { basename, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Arguments, oneOf, UsageError } from './arguments.js'
import { AREAS, type ProjectChoices, STORAGES } from './choices.js'

const DEFAULT_FOLDER = 'my-minions'

/** Asks the user; an empty answer takes the default. */
export type Ask = (question: string, offered: string) => Promise<string>

/** Completes the command line: by prompting, or with defaults without a terminal. */
export async function complete(given: Arguments, ask: Ask | undefined): Promise<ProjectChoices> {
  const answer = ask ?? (async (_question: string, offered: string) => offered)
  const folder = given.folder ?? (await answer('Folder', DEFAULT_FOLDER))
  const storage =
    given.storage ?? oneOf('A storage', await answer(`Storage (${STORAGES.join(', ')})`, 'sqlite'), STORAGES)
  const areas =
    given.areas ??
    (await answer(`Areas (${AREAS.join(', ')})`, 'missions'))
      .split(',')
      .map((area) => oneOf('An area', area.trim(), AREAS))
  const model = given.model ?? (ask ? await ask('Model (empty for none)', '') : '')
  return { name: packageName(folder), storage, areas, ...(model !== '' && { model }) }
}

/** Asks at a terminal. Call `close` at the end. */
export function terminal(): { ask: Ask; close(): void } {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  return {
    ask: async (question, offered) =>
      (await lines.question(offered === '' ? `${question}: ` : `${question} [${offered}]: `)).trim() || offered,
    close: () => lines.close(),
  }
}

/** The name of a package for a folder, which may be a path. */
function packageName(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
  if (!/^[a-z0-9]/.test(name)) throw new UsageError(`"${folder}" cannot be the name of a project; start with a letter.`)
  return name
}
