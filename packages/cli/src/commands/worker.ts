import { once } from 'node:events'
import { resolve } from 'node:path'
import { MinionsError } from '@minions/core'
import { hidePassword } from '@minions/core/storage'
import type { Command } from 'commander'
import { withApp } from '../app/app.js'
import { colonyPlugins } from '../app/colony-app.js'
import { homeOf, readConfiguration } from '../app/configuration.js'
import { importRoles, ROLES, type RolesOption } from '../app/roles.js'
import { FROM, type FromOptions } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { note, print } from '../output/output.js'
import { collect, collectTags, examples, given, wholeNumber } from '../program/options.js'
import { createsStore } from '../store/store-need.js'

interface WorkerOptions extends FromOptions, RolesOption {
  readonly concurrency?: number
  readonly tags?: string[]
  readonly skill?: string[]
  readonly drain: number
  readonly lease?: number
}

export function register(program: Command, cli: Cli): void {
  examples(
    createsStore(program.command('worker'))
      .description('run jobs and mission tasks that any process on the store has submitted, until it is stopped')
      .option('--concurrency <number>', 'jobs at the same time (4)', wholeNumber(1))
      .option(
        '--tags <tags>',
        'what this machine offers to jobs that require it, such as gpu; may be repeated',
        collectTags,
      )
      .option('--skill <name>', 'take jobs for this skill only; may be repeated', collect)
      .option(...FROM)
      .option(...ROLES)
      .option(
        '--drain <ms>',
        'time for jobs to finish after Ctrl-C or SIGTERM, before other workers take them',
        wholeNumber(),
        30_000,
      )
      .option(
        '--lease <ms>',
        'time without a heartbeat after which other workers take the jobs (5000)',
        wholeNumber(100),
      )
      .action((options: WorkerOptions) => work(cli, options)),
    'worker --storage postgres://db.example.com/minions --concurrency 8',
    'worker --storage sqlite:./minions.db --from ./skills --tags gpu',
  )
}

/** Works until the process is told to stop, then finishes its jobs and returns the rest. */
async function work(cli: Cli, options: WorkerOptions): Promise<void> {
  const { concurrency, tags, skill: skills, drain, lease: leaseMs } = options
  const roles = options.roles === undefined ? undefined : await importRoles(cli, options.roles)
  const { storage } = await readConfiguration(cli)
  const store = typeof storage.value === 'string' ? hidePassword(storage.value) : storage.value.name
  const plugins = colonyPlugins({
    configDir: homeOf(cli).value,
    store: cli.options.storage === undefined ? 'files' : 'storage',
    skills: { load: (options.from ?? []).map((folder) => resolve(cli.cwd, folder)), discover: [cli.cwd] },
    ...given({ roles, leaseMs }),
  })
  await withApp(cli, plugins, async (app) => {
    for (const { file, code, message } of app.skills.problems) note(cli, `${file}: ${code}: ${message}`)
    if (!app.jobs.executor.capabilities.shared) {
      throw new MinionsError(
        'CAPABILITY_MISSING',
        `No other process can reach the store ${store}, so no job would ever arrive; use sqlite:<file> or postgres://….`,
      )
    }
    cli.endsItself = true
    const worker = await app.jobs.work(given({ concurrency, tags, skills }))
    print(cli, { worker: worker.id, storage: store }, () => `Worker ${worker.id} is ready on ${store}`)
    if (!cli.signal.aborted) await once(cli.signal, 'abort')
    if (worker.running > 0) note(cli, `Stopping when ${worker.running} jobs have ended; again to stop at once.`)
    await worker.stop(drain)
  })
}
