import type { Plugin } from '@minions/core/plugin'
import { exporters } from '@minions/exporters'
import type { App } from '@minions/host'
import { langfuse } from '@minions/langfuse'
import type { mcp } from '@minions/mcp'
import { models } from '@minions/models'
import { agents } from '@minions/models/agents'
import { chatEndpoint } from '@minions/models/endpoint'
import { server } from '@minions/server/plugin'
import type { studio } from '@minions/studio'
import { type AppOptions, withApp } from '../app/app.js'
import { commandPlugins } from '../app/colony-app.js'
import type { Cli } from '../cli.js'
import { doctor } from '../store/doctor-plugin.js'

/** All first-party plugins, so that all operations are available. */
export function allPlugins(cli: Cli) {
  return [
    ...commandPlugins(cli),
    exporters(),
    models({ environment: cli.env, folder: cli.cwd }),
    agents(),
    chatEndpoint(),
    langfuse(),
    server(),
  ] as const satisfies readonly Plugin[]
}

/** Runs `work` with an app that has all operations, including those of configured plugins. */
export function withOperations(
  cli: Cli,
  work: (app: App<ReturnType<typeof allPlugins>>) => Promise<void>,
): Promise<void> {
  return withApp(cli, allPlugins(cli), work)
}

/** The same for commands that serve an app, over HTTP or to an agent. */
export async function withDoors<T>(
  cli: Cli,
  work: (app: ServedApp) => Promise<T>,
  { more }: Pick<AppOptions, 'more'> = {},
): Promise<T> {
  const [{ mcp }, { studio }] = await Promise.all([import('@minions/mcp'), import('@minions/studio')])
  return withApp(cli, [...allPlugins(cli), mcp(), studio(), doctor()] as const, work, { more })
}

export type ServedApp = App<Doors>

type Doors = readonly [
  ...ReturnType<typeof allPlugins>,
  ReturnType<typeof mcp>,
  ReturnType<typeof studio>,
  ReturnType<typeof doctor>,
]
