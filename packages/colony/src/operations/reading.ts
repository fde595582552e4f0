import { contractsRef, type MissionEnvelope, type StoredArtifact } from '@minions/colony-contracts'
import { MinionsError } from '@minions/core'
import { asPage, defineOperation, pageInput, pageOf, requireTenant } from '@minions/core/operations'
import { Type } from 'typebox'
import { ReplayReportSchema } from '../replay/replay-mission.js'
import { LISTED_STATUSES, ListedMissionSchema } from '../runner/list-missions.js'
import { artifact, MissionProgressSchema, TaskProgressSchema } from '../runner/mission-status.js'
import { closed, deps, exampleCaller, exampleInput, exampleRun, mission } from './inputs.js'

const example = { ...exampleCaller, given: [exampleRun], input: exampleInput }

export const list = defineOperation({
  name: 'missions.list',
  summary: 'List the missions of a tenant, the newest first',
  description: 'With a `status`, a page may hold fewer missions than `limit` and not be the last.',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      status: Type.Optional(
        Type.Enum(LISTED_STATUSES, { description: 'Only missions with this status.', examples: ['running'] }),
      ),
      ...pageInput,
    },
    closed,
  ),
  output: pageOf(ListedMissionSchema),
  examples: [{ ...example, title: 'What has been done', input: { status: 'completed' } }],
  deps,
  run: async (filter, { colony }, context) => asPage(await colony.forTenant(requireTenant(context)).list(filter)),
})

export const status = defineOperation({
  name: 'missions.status',
  summary: 'Get the status of a mission',
  access: 'read',
  perTenant: true,
  input: Type.Object(mission, closed),
  output: MissionProgressSchema,
  examples: [{ ...example, title: 'A mission that has ended' }],
  deps,
  run: ({ mission: id }, { colony }, context) => colony.forTenant(requireTenant(context)).status(id),
})

export const get = defineOperation({
  name: 'missions.get',
  summary: 'Get a mission with its envelope and all artifacts',
  access: 'read',
  perTenant: true,
  input: Type.Object(mission, closed),
  output: Type.Object({
    ...MissionProgressSchema.properties,
    envelope: artifact<MissionEnvelope>(),
    artifacts: Type.Array(artifact<StoredArtifact>(), { description: 'Everything of the mission, by time.' }),
  }),
  examples: [{ ...example, title: 'A mission that has ended' }],
  deps: { ...deps, contracts: contractsRef },
  async run({ mission: id }, { colony, contracts }, context) {
    const tenant = requireTenant(context)
    const reader = contracts.store.forTenant(tenant)
    const envelope = await reader.get(id, 'mission_envelope')
    if (!envelope) throw new MinionsError('NOT_FOUND', `The tenant "${tenant}" has no mission "${id.slice(0, 100)}".`)
    const progress = await colony.forTenant(tenant).status(id)
    return { ...progress, envelope, artifacts: await reader.all({ missionId: id }) }
  },
})

export const graph = defineOperation({
  name: 'missions.graph',
  summary: 'List the tasks of a mission with their states and what each waits for',
  access: 'read',
  perTenant: true,
  input: Type.Object(mission, closed),
  output: Type.Immutable(Type.Array(TaskProgressSchema)),
  examples: [{ ...example, title: 'The tasks of a mission' }],
  deps,
  run: async ({ mission: id }, { colony }, context) =>
    (await colony.forTenant(requireTenant(context)).status(id)).tasks,
})

export const diagram = defineOperation({
  name: 'missions.diagram',
  summary: 'Draw the tasks of a mission and their states',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      ...mission,
      format: Type.Optional(
        Type.Enum(['mermaid', 'text'], {
          default: 'mermaid',
          description: 'A Mermaid flowchart, or text for a terminal.',
          examples: ['text'],
        }),
      ),
    },
    closed,
  ),
  output: Type.Object({ diagram: Type.String() }),
  examples: [{ ...example, title: 'A Mermaid flowchart' }],
  deps,
  async run({ mission: id, format }, { colony }, context) {
    const missions = colony.forTenant(requireTenant(context))
    return { diagram: await (format === 'text' ? missions.toText(id) : missions.toMermaid(id)) }
  },
})

export const replay = defineOperation({
  name: 'missions.replay',
  summary: 'Derive every artifact of a mission again, without a model or tools, and report the first difference',
  access: 'read',
  perTenant: true,
  input: Type.Object(mission, closed),
  output: ReplayReportSchema,
  examples: [{ ...example, title: 'A mission that has ended' }],
  deps,
  run: ({ mission: id }, { colony }, context) => colony.forTenant(requireTenant(context)).replay(id),
})
