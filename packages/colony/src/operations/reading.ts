import { contractsRef, type MissionEnvelope, type StoredArtifact } from '@minions/colony-contracts'
import { MinionsError } from '@minions/core'
import { asPage, operationsWith, pageInput, pageOf, property, requireTenant } from '@minions/core/operations'
import { Type } from 'typebox'
import { colonyRef } from '../ref.js'
import { ReplayReportSchema } from '../replay/replay-mission.js'
import { LISTED_STATUSES, ListedMissionSchema } from '../runner/list-missions.js'
import { artifact, MissionProgressSchema, TaskProgressSchema } from '../runner/mission-status.js'
import { exampleCaller, exampleInput, exampleRun, mission, operation } from './inputs.js'

const ofOne = { access: 'read', input: mission } as const
const example = { ...exampleCaller, given: [exampleRun], input: exampleInput }

export const list = operation({
  name: 'missions.list',
  summary: 'List the missions of a tenant, the newest first',
  description: 'With a `status`, a page may hold fewer missions than `limit` and not be the last.',
  access: 'read',
  input: {
    status: Type.Optional(property.choice(LISTED_STATUSES, 'Only missions with this status.', 'running')),
    ...pageInput,
  },
  output: pageOf(ListedMissionSchema),
  examples: [{ ...example, title: 'What has been done', input: { status: 'completed' } }],
  run: async (filter, { colony }, context) => asPage(await colony.forTenant(requireTenant(context)).list(filter)),
})

export const status = operation({
  ...ofOne,
  name: 'missions.status',
  summary: 'Get the status of a mission',
  output: MissionProgressSchema,
  examples: [{ ...example, title: 'A mission that has ended' }],
  run: ({ mission: id }, { colony }, context) => colony.forTenant(requireTenant(context)).status(id),
})

export const get = operationsWith({ colony: colonyRef, contracts: contractsRef })({
  name: 'missions.get',
  summary: 'Get a mission with its envelope and all artifacts',
  ...ofOne,
  perTenant: true,
  output: Type.Object({
    ...MissionProgressSchema.properties,
    envelope: artifact<MissionEnvelope>(),
    artifacts: Type.Array(artifact<StoredArtifact>(), { description: 'Everything of the mission, by time.' }),
  }),
  examples: [{ ...example, title: 'A mission that has ended' }],
  async run({ mission: id }, { colony, contracts }, context) {
    const tenant = requireTenant(context)
    const reader = contracts.store.forTenant(tenant)
    const envelope = await reader.get(id, 'mission_envelope')
    if (!envelope) throw new MinionsError('NOT_FOUND', `The tenant "${tenant}" has no mission "${id.slice(0, 100)}".`)
    const progress = await colony.forTenant(tenant).status(id)
    return { ...progress, envelope, artifacts: await reader.all({ missionId: id }) }
  },
})

export const graph = operation({
  ...ofOne,
  name: 'missions.graph',
  summary: 'List the tasks of a mission with their states and what each waits for',
  output: Type.Immutable(Type.Array(TaskProgressSchema)),
  examples: [{ ...example, title: 'The tasks of a mission' }],
  run: async ({ mission: id }, { colony }, context) =>
    (await colony.forTenant(requireTenant(context)).status(id)).tasks,
})

export const diagram = operation({
  name: 'missions.diagram',
  summary: 'Draw the tasks of a mission and their states',
  access: 'read',
  input: {
    ...mission,
    format: Type.Optional(
      property.choice(['mermaid', 'text'], 'A Mermaid flowchart, or text for a terminal.', 'text', {
        default: 'mermaid',
      }),
    ),
  },
  output: Type.Object({ diagram: Type.String() }),
  examples: [{ ...example, title: 'A Mermaid flowchart' }],
  async run({ mission: id, format }, { colony }, context) {
    const missions = colony.forTenant(requireTenant(context))
    return { diagram: await (format === 'text' ? missions.toText(id) : missions.toMermaid(id)) }
  },
})

export const replay = operation({
  ...ofOne,
  name: 'missions.replay',
  summary: 'Derive every artifact of a mission again, without a model or tools, and report the first difference',
  output: ReplayReportSchema,
  examples: [{ ...example, title: 'A mission that has ended' }],
  run: ({ mission: id }, { colony }, context) => colony.forTenant(requireTenant(context)).replay(id),
})
