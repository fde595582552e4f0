import type { Plugin } from '@minions/core/plugin'
import type { App } from '@minions/host'
import type { mcp } from '@minions/mcp'
import type { studio } from '@minions/studio'
import { type AppOptions, withApp } from '../app/app.js'
import { commandPlugins } from '../app/colony-app.js'
import type { Cli } from '../cli.js'
import type { doctor } from '../store/doctor-plugin.js'

/** All first-party plugins, so that all operations are available. They are loaded when a command runs, not for its help. */
export async function allPlugins(cli: Cli) {
  const [missions, { exporters }, { models }, { agents }, { chatEndpoint }, { langfuse }, { server }] =
    await Promise.all([
      commandPlugins(cli),
      import('@minions/exporters'),
      import('@minions/models'),
      import('@minions/models/agents'),
      import('@minions/models/endpoint'),
      import('@minions/langfuse'),
      import('@minions/server/plugin'),
    ])
  return [
    ...missions,
    exporters(),
    models({ environment: cli.env, folder: cli.cwd }),
    agents(),
    chatEndpoint(),
    langfuse(),
    server(),
  ] as const satisfies readonly Plugin[]
}

/** Runs `work` with an app that has all operations, including those of configured plugins. */
export async function withOperations(cli: Cli, work: (app: App<AllPlugins>) => Promise<void>): Promise<void> {
  return withApp(cli, await allPlugins(cli), work)
}

/** The same for commands that serve an app, over HTTP or to an agent. */
export async function withDoors<T>(
  cli: Cli,
  work: (app: ServedApp) => Promise<T>,
  { more }: Pick<AppOptions, 'more'> = {},
): Promise<T> {
  const [plugins, { mcp }, { studio }, { doctor }] = await Promise.all([
    allPlugins(cli),
    import('@minions/mcp'),
    import('@minions/studio'),
    import('../store/doctor-plugin.js'),
  ])
  return withApp(cli, [...plugins, mcp(), studio(), doctor()] as const, work, { more })
}

export type ServedApp = App<Doors>

type AllPlugins = Awaited<ReturnType<typeof allPlugins>>

type Doors = readonly [...AllPlugins, ReturnType<typeof mcp>, ReturnType<typeof studio>, ReturnType<typeof doctor>]
