import { getOwn } from '@minions/core/json'
import { isPluginRef, type Plugin } from '@minions/core/plugin'
import type { StorageBackend } from '@minions/core/storage'
import { type App, createMinions } from '@minions/host'
import type { Cli } from '../cli.js'
import { configuredBackend } from '../store/store.js'
import { type Configuration, readConfiguration } from './configuration.js'
import { cliLogger } from './logger.js'

/**
 * First-party plugins by package name, used to satisfy the dependencies of user plugins when the command does not load
 * them.
 */
const ours: Readonly<Record<string, (home: string) => Promise<Plugin>>> = {
  '@minions/approvals': async () => (await import('@minions/approvals')).approvals(),
  '@minions/prompts': async () => (await import('@minions/prompts')).prompts(),
  '@minions/exporters': async () => (await import('@minions/exporters')).exporters(),
  '@minions/workspace': async (configDir) => (await import('@minions/workspace')).workspace({ configDir }),
  '@minions/colony-contracts': async () => (await import('@minions/colony-contracts')).colonyContracts(),
  '@minions/models': async () => (await import('@minions/models')).models(),
  '@minions/skills-runtime': async () => (await import('@minions/skills-runtime')).skills(),
  '@minions/skills-runtime/jobs': async () => (await import('@minions/skills-runtime/jobs')).jobs(),
}

export interface AppOptions {
  readonly wrap?: (backend: StorageBackend) => StorageBackend
  /** Additional plugins, unless the configuration has one of the same name. */
  readonly more?: readonly Plugin[] | undefined
  /** Prints warnings even without `--verbose`. */
  readonly warnings?: boolean
}

/**
 * Runs `work` with an app on the configured store, with these plugins and those of the configuration, and closes it
 * afterwards. A configured plugin takes precedence over a first-party one with the same name.
 */
export async function withApp<const Plugins extends readonly Plugin[], T>(
  cli: Cli,
  plugins: Plugins,
  work: (app: App<Plugins>, configuration: Configuration) => Promise<T>,
  { wrap = (backend) => backend, more = [], warnings = false }: AppOptions = {},
): Promise<T> {
  const configuration = await readConfiguration(cli)
  const configured = await configuredPlugins(configuration, plugins)
  const isMissing = ({ ref }: Plugin) => !configured.some((plugin) => plugin.ref.name === ref.name)
  const app = await createMinions({
    storage: wrap(await configuredBackend(cli, configuration)),
    plugins,
    morePlugins: [...configured, ...more.filter(isMissing)],
    ...cliLogger(cli, { warnings }),
  })
  return cli.guarded(
    () => app.close(),
    () => work(app, configuration),
  )
}

/** The configured plugins, and the first-party plugins they depend on that the command does not load. */
async function configuredPlugins({ plugins, home }: Configuration, given: readonly Plugin[]): Promise<Plugin[]> {
  const all = plugins.map(({ value }) => value)
  const has = (name: string) => [...given, ...all].some(({ ref }) => ref.name === name)
  // The list grows during the loop: added plugins may depend on others.
  for (const { deps } of all) {
    for (const { name } of Object.values(deps).filter(isPluginRef)) {
      const load = getOwn(ours, name)
      if (load && !has(name)) all.push(await load(home.value))
    }
  }
  return all
}
