import type { Plugin } from '@minions/core'
import { exporters } from '@minions/exporters'
import type { App } from '@minions/host'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import { colonyPlugins } from '../colony-app.js'
import { homeOf } from '../configuration.js'

/** Every plugin of ours, so that all operations are there. */
export function allPlugins(cli: Cli) {
  const store = cli.options.storage === undefined ? 'files' : 'storage'
  return [...colonyPlugins({ configDir: homeOf(cli).value, store }), exporters()] as const satisfies readonly Plugin[]
}

/** Runs `work` with an app that has all operations, those of configured plugins included. */
export function withOperations<T>(cli: Cli, work: (app: App<ReturnType<typeof allPlugins>>) => Promise<T>): Promise<T> {
  return withApp(cli, allPlugins(cli), work)
}
