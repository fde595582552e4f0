import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import type { Minions } from '@minions/core'
import { hidePassword } from '@minions/core/storage'
import type { Command } from 'commander'
import { readConfiguration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { existing } from '../input/references.js'
import { type ServedApp, withDoors } from '../operations/operations-app.js'
import { openInBrowser } from '../output/open-in-browser.js'
import { note, print } from '../output/output.js'
import { examples, given, wholeNumber } from '../program/options.js'
import { createsStore } from '../store/store-need.js'

interface StudioCommandOptions {
  readonly port?: number
  readonly open: boolean
  readonly readOnly?: boolean
}

export function register(program: Command, cli: Cli): void {
  examples(
    createsStore(program.command('studio'))
      .argument('[url]', 'the store, such as sqlite:./minions.db (default: the configured one)')
      .option('--port <number>', 'port to listen on (default: any that is free)', wholeNumber())
      .option('--no-open', 'print the address without opening a browser')
      .option('--read-only', 'view without being able to change anything')
      .action((url: string | undefined, options: StudioCommandOptions) => {
        if (url !== undefined) program.setOptionValue('storage', url)
        return openStudio(cli, options)
      }),
    'studio',
    'studio sqlite:./minions.db --no-open',
  )
  examples(
    program
      .command('open')
      .argument('<id>', 'id, id prefix, or title of a minion')
      .option('--port <number>', 'port to listen on (default: any that is free)', wholeNumber())
      .option('--no-open', 'print the address without opening a browser')
      .option('--read-only', 'view it without being able to change anything')
      .action((reference: string, options: StudioCommandOptions) =>
        openStudio(cli, options, async (app) => `objects/${encodeURIComponent((await existing(app, reference)).id)}`),
      ),
    'open "Call Ada"',
    'open 0b0e4f0a --no-open',
  )
}

/**
 * Serves the page to this machine until the process is told to stop. The key is part of the address, after the `#`,
 * which browsers do not send, and ends with the process.
 */
async function openStudio(
  cli: Cli,
  { port = 0, open, readOnly }: StudioCommandOptions,
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
    const store = typeof storage.value === 'string' ? hidePassword(storage.value) : storage.value.name
    const url = `${running.url}${STUDIO_PATH}/${page}#key=${key}`
    print(cli, { url, storage: store }, () => `The Studio on ${store} is at\n\n  ${url}\n\nCtrl-C ends it.`)
    if (open && !cli.options.json) openInBrowser(cli, url)
    if (!cli.signal.aborted) await once(cli.signal, 'abort')
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
