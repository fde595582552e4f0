import { isPluginRef, type Plugin, type StorageBackend } from '@minions/core'
import { type App, createMinions } from '@minions/host'
import type { Cli } from './cli.js'
import { type Configuration, readConfiguration } from './configuration.js'
import { verboseLogger } from './logger.js'
import { configuredBackend } from './store.js'

/** First-party plugins by package name, for plugins of users that depend on one which the command does not load. */
const ours: Readonly<Record<string, (home: string) => Promise<Plugin>>> = {
  '@minions/prompts': async () => (await import('@minions/prompts')).prompts(),
  '@minions/exporters': async () => (await import('@minions/exporters')).exporters(),
  '@minions/workspace': async (configDir) => (await import('@minions/workspace')).workspace({ configDir }),
  '@minions/colony-contracts': async () => (await import('@minions/colony-contracts')).colonyContracts(),
  '@minions/skills-runtime': async () => (await import('@minions/skills-runtime')).skills(),
}

export interface AppOptions {
  /** Puts another backend before that of the store. */
  readonly wrap?: (backend: StorageBackend) => StorageBackend
}

/**
 * Runs `work` with an app on the configured store, with these plugins and those of the configuration, and closes it
 * afterwards. A plugin of the configuration goes before one of ours with the same name.
 */
export async function withApp<const Plugins extends readonly Plugin[], T>(
  cli: Cli,
  plugins: Plugins,
  work: (app: App<Plugins>, configuration: Configuration) => Promise<T>,
  { wrap = (backend) => backend }: AppOptions = {},
): Promise<T> {
  const configuration = await readConfiguration(cli)
  const app = await createMinions({
    storage: wrap(await configuredBackend(cli, configuration.storage)),
    plugins,
    morePlugins: await configuredPlugins(configuration, plugins),
    ...verboseLogger(cli),
  })
  return cli.guarded(
    () => app.close(),
    () => work(app, configuration),
  )
}

/** The plugins of the configuration, and those of ours that they depend on and the command itself does without. */
async function configuredPlugins({ plugins, home }: Configuration, given: readonly Plugin[]): Promise<Plugin[]> {
  const all = plugins.map(({ value }) => value)
  const has = (name: string) => [...given, ...all].some(({ ref }) => ref.name === name)
  // The list grows on the way: what is added may depend on others in its turn.
  for (const { deps } of all) {
    for (const { name } of Object.values(deps).filter(isPluginRef)) {
      const load = Object.hasOwn(ours, name) ? ours[name] : undefined
      if (load && !has(name)) all.push(await load(home.value))
    }
  }
  return all
}
