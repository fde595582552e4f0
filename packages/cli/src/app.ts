import type { Plugin, StorageBackend } from '@minions/core'
import { type App, createMinions } from '@minions/host'
import type { Cli } from './cli.js'
import { type Configuration, readConfiguration } from './configuration.js'
import { verboseLogger } from './logger.js'
import { configuredBackend } from './store.js'

/** Our plugins by name, for those of users that require one which a command itself does without. */
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
  const app = (await createMinions({
    storage: wrap(await configuredBackend(cli, configuration.storage)),
    plugins: await together(configuration, plugins),
    ...verboseLogger(cli),
  })) as unknown as App<Plugins>
  return cli.guarded(
    () => app.close(),
    () => work(app, configuration),
  )
}

async function together({ plugins, home }: Configuration, needed: readonly Plugin[]): Promise<Plugin[]> {
  const all = plugins.map(({ value }) => value)
  const has = (name: string) => all.some((plugin) => plugin.name === name)
  all.push(...needed.filter(({ name }) => !has(name)))
  for (const { value } of plugins) {
    for (const requirement of value.requires ?? []) {
      const name = requirement.replace(/(?<=.)@.*$/, '')
      const make = Object.hasOwn(ours, name) ? ours[name] : undefined
      if (make && !has(name)) all.push(await make(home.value))
    }
  }
  return all
}
