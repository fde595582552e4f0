import { runOperation } from '@minions/core/operations'
import type { ClusterStatus } from '@minions/skills-runtime/jobs'
import type { Command } from 'commander'
import { withApp } from '../app/app.js'
import { colonyPlugins } from '../app/colony-app.js'
import { homeOf } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { facts, print, table } from '../output/output.js'
import { examples } from '../program/options.js'

export function register(program: Command, cli: Cli): void {
  const cluster = program.command('cluster')
  examples(
    cluster
      .command('status')
      .description('show workers and their jobs, queues, the oldest waiting job, and skills that no worker has')
      .action(() => status(cli)),
    'cluster status --storage postgres://db.example.com/minions',
    'cluster status --json',
  )
}

async function status(cli: Cli): Promise<void> {
  const plugins = colonyPlugins({ configDir: homeOf(cli).value, store: 'storage' })
  await withApp(cli, plugins, async (app) => {
    const found = (await runOperation(app, 'cluster.status', {})) as ClusterStatus
    print(cli, found, () => describe(found))
  })
}

function describe({ workers, queues, unserved, oldest, ...counts }: ClusterStatus): string {
  const totals = facts({
    executor: counts.executor,
    workers: workers.length,
    running: counts.running,
    waiting: counts.waiting,
    delayed: counts.delayed,
    'dead letters': counts.failed,
    'completed in the last minute': counts.completed_last_minute,
    'oldest waiting job': oldest ? `${oldest.job_id} (${oldest.skill_name}), ${oldest.waiting_ms} ms` : 'none',
  })
  const parts = [totals]
  if (workers.length > 0) {
    parts.push(
      table(workers, {
        worker: (row) => row.worker_id,
        machine: (row) => `${row.host}:${row.pid}`,
        state: (row) => row.state,
        jobs: (row) => `${row.running.length} of ${row.concurrency}`,
        does: (row) => [...new Set(row.running.map(({ skill_name }) => skill_name))].join(', '),
        tags: (row) => row.tags.join(', '),
        completed: (row) => row.completed,
        failed: (row) => row.failed,
        seen: (row) => row.seen_at,
      }),
    )
  }
  if (queues.length > 0) {
    parts.push(
      table(queues, {
        queue: (row) => `${row.skill_name}@${row.skill_version ?? '*'}`,
        tags: (row) => row.tags.join(', '),
        waiting: (row) => row.waiting,
        delayed: (row) => row.delayed,
        running: (row) => row.running,
        limit: (row) => row.limit ?? '',
        oldest: (row) => row.oldest_at ?? '',
      }),
    )
  }
  if (unserved.length > 0) parts.push(`No worker can do: ${unserved.join(', ')}`)
  return parts.join('\n\n')
}
