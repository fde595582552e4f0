import { readConfiguration, storageName } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { withDoors } from '../operations/operations-app.js'
import { commandLine } from '../output/command-line.js'
import { note, print } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { collect, given, wholeNumber } from '../program/options.js'

/** Serves until the process is told to stop, then finishes open requests and ends. */
export function register(program: Command, cli: Cli): void {
  addCommand(program, 'serve')
    .examples('serve --without-key', 'serve --host 0.0.0.0 --allow-host api.example.com --drain 5000')
    .createsStore()
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--port <number>', 'port to listen on (4747); 0 for any that is free', wholeNumber())
    .option('--without-key', 'let programs on this machine call everything without a key')
    .option('--allow-host <name>', 'another host name that the server answers to; may be repeated', collect)
    .option('--allow-origin <origin>', 'an origin whose pages may call; may be repeated', collect)
    .option('--drain <ms>', 'time between not ready and stopping, for load balancers to notice (0)', wholeNumber())
    .action(async (options) => {
      const { LOOPBACK_HOSTS, serve } = await import('@minions/server')
      const { storage } = await readConfiguration(cli)
      await withDoors(cli, async (app) => {
        const { host, port, withoutKey, allowHost, allowOrigin, drain } = options
        const running = await serve(app, {
          ...given({ host, port, withoutKey, origins: allowOrigin, drainTime: drain }),
          ...(allowHost && { hosts: [...LOOPBACK_HOSTS, ...allowHost] }),
        })
        cli.endsItself = true
        const store = storageName(storage)
        print(cli, { url: running.url, storage: store }, () => `Serving ${store} at ${running.url}`)
        if (!withoutKey && (await app.server.keys.list({ limit: 1 })).items.length === 0) {
          note(
            cli,
            `There is no key yet; create one with: ${commandLine(cli, ['keys', 'create', '--owner', '<name>'])}`,
          )
        }
        await cli.untilStopped()
        note(cli, 'Stopping; again to stop at once.')
        await running.stop()
      })
    })
}
