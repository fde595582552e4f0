import { resolve } from 'node:path'
import { MinionsError } from '@minions/core'
import type { App } from '@minions/host'
import type { SkillRegistry } from '@minions/skills-runtime'
import { withApp } from '../app/app.js'
import { commandPlugins } from '../app/colony-app.js'
import { readConfiguration, storageName } from '../app/configuration.js'
import { importRoles, ROLES } from '../app/roles.js'
import { FROM } from '../app/skills-app.js'
import type { Cli } from '../cli.js'
import { note, print } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { collect, collectTags, given, wholeNumber } from '../program/options.js'

/** Works until the process is told to stop, then finishes its jobs and returns the rest. */
export function register(program: Command, cli: Cli): void {
  addCommand(
    program,
    'worker',
    'run jobs and mission tasks that any process on the store has submitted, until it is stopped',
  )
    .examples(
      'worker --storage postgres://db.example.com/minions --concurrency 8',
      'worker --storage sqlite:./minions.db --from ./skills --tags gpu',
    )
    .createsStore()
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
    .option('--lease <ms>', 'time without a heartbeat after which other workers take the jobs (5000)', wholeNumber(100))
    .action(async (options) => {
      const { concurrency, tags, skill: skills, drain, lease: leaseMs } = options
      const roles = options.roles === undefined ? undefined : await importRoles(cli, options.roles)
      const { storage } = await readConfiguration(cli)
      const store = storageName(storage)
      const plugins = await commandPlugins(cli, {
        skills: { load: (options.from ?? []).map((folder) => resolve(cli.cwd, folder)), discover: [cli.cwd] },
        ...given({ roles, leaseMs }),
      })
      const work = async (app: App<typeof plugins>) => {
        if (!app.jobs.executor.capabilities.shared) {
          throw new MinionsError(
            'CAPABILITY_MISSING',
            `No other process can reach the store ${store}, so no job would ever arrive; use sqlite:<file> or postgres://….`,
          )
        }
        requireSkills(app.skills.registry, skills)
        cli.endsItself = true
        const worker = await app.jobs.work(given({ concurrency, tags, skills }))
        print(cli, { worker: worker.id, storage: store }, () => `Worker ${worker.id} is ready on ${store}`)
        await cli.untilStopped()
        if (worker.running > 0) note(cli, `Stopping when ${worker.running} jobs have ended; again to stop at once.`)
        await worker.stop(drain)
      }
      await withApp(cli, plugins, work, { warnings: true })
    })
}

/** A misspelt name would make a worker that never takes a job. Throws `NOT_FOUND`. */
function requireSkills(registry: Pick<SkillRegistry, 'hasSkill' | 'listSkills'>, names: readonly string[] = []): void {
  const missing = names.filter((name) => !registry.hasSkill(name))
  if (missing.length === 0) return
  const known = [...new Set(registry.listSkills().map(({ name }) => name))].sort()
  const text = `This worker has no skill ${missing.map((name) => `"${name}"`).join(', ')}; it has ${known.join(', ')}.`
  throw new MinionsError('NOT_FOUND', `${text} Load more with --from <folder>.`)
}
