import {
  type AnyArtifact,
  artifactId,
  artifactSchemas,
  colonyContracts,
  type TenantReader,
} from '@minions/colony-contracts'
import type { Command } from 'commander'
import { withApp } from '../app.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { type TenantOption, tenantOf, withTenant } from '../missions.js'
import { examples, given, wholeNumber } from '../options.js'
import { facts, print, table } from '../output.js'

interface ListOptions extends TenantOption {
  readonly mission?: string
  readonly kind?: string
  readonly task?: string
  readonly limit?: number
}

export function register(program: Command, cli: Cli): void {
  const artifacts = program.command('artifacts')
  examples(
    withTenant(artifacts.command('list').description('list artifacts'))
      .option('--mission <id>', 'of one mission')
      .option('--kind <name>', `one of ${Object.keys(artifactSchemas).join(', ')}`)
      .option('--task <id>', 'of one task')
      .option('--limit <n>', 'most artifacts of each kind (100)', wholeNumber(1))
      .action((options: ListOptions) => list(cli, options)),
    'artifacts list --tenant acme --mission 4fb6f1d2-… --kind worker_result',
  )
  examples(
    withTenant(artifacts.command('show').description('show an artifact'))
      .argument('<mission>', 'id of its mission')
      .argument('<kind>', 'such as worker_result')
      .argument('[id]', 'its own id; envelopes and task graphs need none')
      .action((mission: string, kind: string, id: string | undefined, options: TenantOption) =>
        show(cli, mission, kind, id, options),
      ),
    'artifacts show 4fb6f1d2-… worker_result wrk_01 --tenant acme',
  )
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withApp(cli, [colonyContracts()], async ({ contracts }) => {
    const artifacts = await read(contracts.store.forTenant(tenant), options)
    print(cli, artifacts, () =>
      table(
        artifacts,
        {
          kind: (row) => row.schema_name,
          id: (row) => artifactId(row as Parameters<typeof artifactId>[0]),
          task: (row) => row.task_id,
          producer: (row) => row.producer,
          created: (row) => row.created_at,
          mission: (row) => row.mission_id,
        },
        'No artifacts.',
      ),
    )
  })
}

async function read(reader: TenantReader, options: ListOptions): Promise<AnyArtifact[]> {
  const { mission: missionId, task: taskId, kind, limit } = options
  if (missionId !== undefined && kind === undefined && taskId === undefined && limit === undefined) {
    return (await reader.mission(missionId)) as unknown as AnyArtifact[]
  }
  const kinds = kind === undefined ? Object.keys(artifactSchemas) : [kind]
  const artifacts: AnyArtifact[] = []
  for (const name of kinds) {
    const { items } = await reader.list(name, given({ missionId, taskId, limit }))
    artifacts.push(...(items as unknown as AnyArtifact[]))
  }
  return artifacts
}

async function show(
  cli: Cli,
  mission: string,
  kind: string,
  id: string | undefined,
  options: TenantOption,
): Promise<void> {
  const tenant = tenantOf(cli, options)
  await withApp(cli, [colonyContracts()], async ({ contracts }) => {
    const artifact = await contracts.store.forTenant(tenant).get(mission, kind, id)
    if (!artifact) {
      throw cliError('NOT_FOUND', `The tenant "${tenant}" has no ${kind} ${id ?? ''} in the mission "${mission}".`)
    }
    print(cli, artifact, () => facts(artifact as Readonly<Record<string, unknown>>))
  })
}
