import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Minions } from '@minions/core'
import { readConfiguration, storageName } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { existing } from '../input/references.js'
import { type ServedApp, withDoors } from '../operations/operations-app.js'
import { openInBrowser } from '../output/open-in-browser.js'
import { note, print } from '../output/output.js'
import { addCommand, type Command, type CommandBuilder, type OptionsOf } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'studio')
    .examples('studio', 'studio sqlite:./minions.db --no-open')
    .createsStore()
    .argument('[url]', 'the store, such as sqlite:./minions.db (default: the configured one)')
    .with(studioOptions)
    .action((url, options) => {
      if (url !== undefined) program.setOptionValue('storage', url)
      return openStudio(cli, options)
    })
  addCommand(program, 'open')
    .examples('open "Call Ada"', 'open 0b0e4f0a --no-open')
    .argument('<id>', 'id, id prefix, or title of a minion')
    .with(studioOptions)
    .action((reference, options) =>
      openStudio(cli, options, async (app) => `objects/${encodeURIComponent((await existing(app, reference)).id)}`),
    )
}

function studioOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--port <number>', 'port to listen on (default: any that is free)', wholeNumber())
    .option('--no-open', 'print the address without opening a browser')
    .option('--read-only', 'view without being able to change anything')
}

/**
 * Serves the page to this machine until the process is told to stop. The key is part of the address, after the `#`,
 * which browsers do not send, and ends with the process.
 */
async function openStudio(
  cli: Cli,
  { port = 0, open, readOnly }: OptionsOf<typeof studioOptions>,
  pageOf: (app: Minions) => Promise<string> = async () => '',
): Promise<void> {
  const [{ serve }, { STUDIO_PATH }, { auditLog }] = await Promise.all([
    import('@minions/server'),
    importStudio(),
    import('@minions/audit-log'),
  ])
  const { storage } = await readConfiguration(cli)
  const work = async (app: ServedApp) => {
    const page = await pageOf(app)
    const key = randomBytes(32).toString('base64url')
    const running = await serve(app, {
      port,
      session: { key, ...given({ by: userName() }), ...(readOnly && { access: ['read'] }) },
    })
    cli.endsItself = true
    const store = storageName(storage)
    const url = `${running.url}${STUDIO_PATH}/${page}#key=${key}`
    print(cli, { url, storage: store }, () => `The Studio on ${store} is at\n\n  ${url}\n\nCtrl-C ends it.`)
    if (open && !cli.options.json) openInBrowser(cli, url)
    await cli.untilStopped()
    note(cli, 'Stopping; again to stop at once.')
    await running.stop()
  }
  // Changes made from here on have a history, unless the store already keeps one.
  await withDoors(cli, work, { more: [auditLog()] })
}

/** The page is a dependency of this package, but may have been omitted. */
async function importStudio(): Promise<typeof import('@minions/studio')> {
  try {
    return await import('@minions/studio')
  } catch (cause) {
    throw cliError('MODULE_UNUSABLE', 'The Studio is not installed; run: npm install @minions/studio', { cause })
  }
}

/** Name of the user of this process, who becomes the author of changes; undefined where the system has none. */
function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
