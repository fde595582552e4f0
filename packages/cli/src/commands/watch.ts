import type { Minions } from '@minions/core'
import { listChanges, runOperation } from '@minions/core/operations'
import { prompts } from '@minions/prompts'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import { existing } from '../input/references.js'
import { knownType } from '../input/type-reference.js'
import { commandLine } from '../output/command-line.js'
import { note, oneLine, write } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { collect, given } from '../program/options.js'
import { UsageError } from '../program/usage-error.js'

type ChangePage = Awaited<ReturnType<typeof listChanges.run>>

/** Milliseconds for which one call waits; the next continues where it ended. */
const WAIT = 30_000

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'watch')
    .examples('watch --type task', 'watch --since start --no-follow --json')
    .argument('[ids...]', 'only these minions: id, id prefix, or title')
    .option('--type <type>', 'only minions of this type; may be repeated', collect)
    .option(
      '--collection <name>',
      'a collection to watch (default: minions, relations and types); may be repeated',
      collect,
    )
    .option('--all', 'every collection, including those of plugins')
    .option(
      '--since <cursor>',
      'continue after the change with this cursor; `start` for all that are kept',
      undefined,
      'now',
    )
    .option('--no-follow', 'stop after the changes that exist now')
    .action(async (references, options) => {
      const { type, collection, all, follow } = options
      if (all && collection) throw new UsageError('--all and --collection are mutually exclusive.')
      cli.endsItself = true
      await withApp(cli, [prompts()], async (app) => {
        const ids: string[] = []
        for (const reference of references) ids.push((await existing(app, reference)).id)
        const filters = given({
          ids: ids.length > 0 ? ids : undefined,
          types: type?.map((slug) => knownType(app, slug).id),
          collections: all ? ['*'] : collection,
        })
        let { since } = options
        while (!cli.signal.aborted) {
          const page = await nextPage(app, { ...filters, since, wait: follow ? WAIT : 0 }, cli.signal)
          if (page === undefined) break
          for (const change of page.items) write(cli, cli.options.json ? JSON.stringify(change) : lineOf(change))
          since = page.cursor
          if (!follow && !page.more) return
        }
        if (!cli.options.json) note(cli, `Continue with: ${commandLine(cli, ['watch', '--since', since])}`)
      })
    })
}

/** The next changes; undefined if the command was stopped. */
async function nextPage(
  app: Minions,
  input: Parameters<typeof listChanges.run>[0],
  signal: AbortSignal,
): Promise<ChangePage | undefined> {
  try {
    return await runOperation(app, listChanges, input, { signal })
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** A change in one line: when, what happened, and to what. */
function lineOf({ at, kind, collection, key, type, title, by }: ChangePage['items'][number]): string {
  const what = type ?? (collection === 'relations' ? 'relation' : collection === 'types' ? 'type' : collection)
  const parts = [
    at.replace('T', ' ').replace('Z', ''),
    kind === 'put' ? 'written' : 'removed',
    what,
    Array.isArray(key) ? key.join(' ') : key,
    title === undefined ? '' : JSON.stringify(title),
    by === undefined ? '' : `by ${by}`,
  ]
  return oneLine(parts.filter((part) => part !== '').join('  '))
}
