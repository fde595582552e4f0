import { runOperation } from '@minions/core/operations'
import type { ClusterStatus } from '@minions/skills-runtime/jobs'
import { withApp } from '../app/app.js'
import { colonyPlugins } from '../app/colony-app.js'
import { homeOf } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { facts, print, sections, table } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'

export function register(program: Command, cli: Cli): void {
  addCommand(
    program.command('cluster'),
    'status',
    'show workers and their jobs, queues, the oldest waiting job, and skills that no worker has',
  )
    .examples('cluster status --storage postgres://db.example.com/minions', 'cluster status --json')
    .action(async () => {
      const plugins = await colonyPlugins({ configDir: homeOf(cli).value, store: 'storage' })
      await withApp(cli, plugins, async (app) => {
        const found = (await runOperation(app, 'cluster.status', {})) as ClusterStatus
        print(cli, found, () => describe(found))
      })
    })
}

function describe({ workers, queues, unserved, oldest, ...counts }: ClusterStatus): string {
  return sections(
    facts({
      executor: counts.executor,
      workers: workers.length,
      running: counts.running,
      waiting: counts.waiting,
      delayed: counts.delayed,
      'dead letters': counts.failed,
      'completed in the last minute': counts.completed_last_minute,
      'oldest waiting job': oldest ? `${oldest.job_id} (${oldest.skill_name}), ${oldest.waiting_ms} ms` : 'none',
    }),
    table(workers, '', {
      worker: 'worker_id',
      machine: (row) => `${row.host}:${row.pid}`,
      state: 'state',
      jobs: (row) => `${row.running.length} of ${row.concurrency}`,
      does: (row) => [...new Set(row.running.map(({ skill_name }) => skill_name))].join(', '),
      tags: (row) => row.tags.join(', '),
      completed: 'completed',
      failed: 'failed',
      lease: (row) => `${row.lease_ms} ms`,
      seen: 'seen_at',
    }),
    table(queues, '', {
      queue: (row) => `${row.skill_name}@${row.skill_version ?? '*'}`,
      tags: (row) => row.tags.join(', '),
      waiting: 'waiting',
      delayed: 'delayed',
      running: 'running',
      limit: (row) => row.limit ?? '',
      oldest: (row) => row.oldest_at ?? '',
    }),
    unserved.length > 0 ? `No worker can do: ${unserved.join(', ')}` : '',
  )
}
