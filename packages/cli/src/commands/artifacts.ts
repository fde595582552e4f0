import { artifactId, artifactSchemas, colonyContracts, type TenantReader } from '@minions/colony-contracts'
import { everyPage } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { runOperation } from '@minions/core/operations'
import { withApp } from '../app/app.js'
import { tenantOf, tenantOption } from '../app/missions.js'
import type { Cli } from '../cli.js'
import { idMeant, missionMeant, taskMeant } from '../input/record-references.js'
import { facts, print, printTable } from '../output/output.js'
import { addCommand, type Command } from '../program/command.js'
import { given, wholeNumber } from '../program/options.js'

export function register(program: Command, cli: Cli): void {
  const artifacts = program.command('artifacts')
  addCommand(artifacts, 'list', 'list artifacts')
    .examples('artifacts list --tenant acme --mission 4fb6f1d2-… --kind worker_result')
    .with(tenantOption)
    .option('--mission <id>', 'of one mission: id, id prefix, or goal')
    .option('--kind <name>', `one of ${Object.keys(artifactSchemas).join(', ')}`)
    .option('--task <id>', 'of one task: id, or id prefix')
    .option('--limit <n>', 'maximum number of artifacts of each kind (100)', wholeNumber(1))
    .action(async (options) => {
      const tenant = tenantOf(cli, options)
      await withApp(cli, [colonyContracts()], async ({ contracts }) => {
        const reader = contracts.store.forTenant(tenant)
        const { mission, task, kind, limit } = options
        const missionId = mission === undefined ? undefined : await missionMeant(reader, mission)
        const taskId = task === undefined ? undefined : await taskMeant(reader, given({ missionId }), task)
        const filter = given({ missionId, taskId, limit })
        const artifacts =
          kind === undefined ? await reader.all(filter) : (await reader.list<string>(kind, filter)).items
        printTable(cli, artifacts, 'No artifacts.', {
          kind: 'schema_name',
          id: (row) => artifactId(row as Parameters<typeof artifactId>[0]),
          task: 'task_id',
          producer: 'producer',
          created: 'created_at',
          mission: 'mission_id',
        })
      })
    })
  addCommand(artifacts, 'show', 'show an artifact')
    .examples('artifacts show 4fb6f1d2-… worker_result wrk_01 --tenant acme')
    .with(tenantOption)
    .argument('<mission>', 'its mission: id, id prefix, or goal')
    .argument('<kind>', 'such as worker_result')
    .argument('[id]', 'its own id, or the beginning of it; envelopes and task graphs need none')
    .action(async (reference, kind, own, options) => {
      const tenant = tenantOf(cli, options)
      await withApp(cli, [colonyContracts()], async (app) => {
        const reader = app.contracts.store.forTenant(tenant)
        const mission = await missionMeant(reader, reference)
        const id = own === undefined ? undefined : await artifactMeant(reader, mission, kind, own)
        const artifact = await runOperation(app, 'artifacts.get', given({ mission, kind, id }), { tenant })
        print(cli, artifact, () => facts(artifact as JsonObject))
      })
    })
}

/** The id of an artifact from its id or a prefix. The id of a task graph is its revision number. */
async function artifactMeant(
  reader: TenantReader,
  missionId: string,
  kind: string,
  reference: string,
): Promise<string> {
  if (kind === 'mission_task_graph') return reference
  const all = await everyPage((page) => reader.list<string>(kind, { missionId, ...page }))
  const ids = all.map((artifact) => artifactId(artifact as Parameters<typeof artifactId>[0]))
  const list = `minions artifacts list --mission ${missionId} --kind ${kind} --tenant ${reader.tenantId}`
  return idMeant(reference, ids, `a ${kind}`, list)
}
