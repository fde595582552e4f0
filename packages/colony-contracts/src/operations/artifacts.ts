import { MinionsError, quote } from '@minions/core'
import { asPage, pageInput, pageOf, property, requireTenant } from '@minions/core/operations'
import { IssueSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { artifactExamples } from '../examples.js'
import { validateMission } from '../mission/validate-mission.js'
import type { Artifact, StoredArtifact } from '../schemas/artifact.js'
import { listTenants } from '../store/list-tenants.js'
import type { ArtifactProblem } from '../validation/problem.js'
import { ArtifactOutput, exampleCaller, exampleMission, examplePut, MissionReference, operation } from './inputs.js'

const AnyArtifact = Type.Unsafe<Artifact<string>>({ type: 'object' })
const { mission_envelope, writeback_proposal } = artifactExamples

const Kind = property.text('Kind of artifact: its `schema_name`.', 'worker_result')

export const put = operation({
  name: 'artifacts.put',
  summary: 'Store artifacts, all or none',
  description:
    'Artifacts are immutable: storing identical content again has no effect, different content under the same id is refused. The default producer is the caller.',
  access: 'write',
  atomic: true,
  input: {
    artifacts: Type.Immutable(
      Type.Array(AnyArtifact, {
        minItems: 1,
        description: 'The artifacts, in any order; the envelope of their mission is among them or stored.',
        examples: [[mission_envelope]],
      }),
    ),
  },
  output: Type.Array(
    Type.Object({
      artifact: ArtifactOutput<StoredArtifact>(),
      created: Type.Boolean({ description: 'False if identical content was already stored.' }),
      revision: Type.Optional(Type.Integer({ description: 'Revision of a task graph, from 1.' })),
    }),
  ),
  examples: [{ ...exampleCaller, title: 'A mission with a proposal', input: examplePut[1] }],
  async run({ artifacts }, { contracts }, context) {
    const tenant_id = requireTenant(context)
    // The store refuses an artifact whose tenant is not that of its mission.
    const owned = artifacts.map((artifact) => {
      if ((artifact.tenant_id ?? tenant_id) === tenant_id) return { ...author(context.by), ...artifact, tenant_id }
      const message = `An artifact belongs to the tenant ${quote(artifact.tenant_id)}, not to "${tenant_id}", for which it would be stored.`
      throw new MinionsError('VALIDATION_FAILED', message)
    })
    const results = await contracts.store.putMany(owned, { tenantId: tenant_id })
    return results.map(({ artifact, created, revision }) => ({
      artifact,
      created,
      ...(revision !== undefined && { revision }),
    }))
  },
})

function author(by: string | undefined) {
  return by === undefined ? {} : { producer: by }
}

export const list = operation({
  name: 'artifacts.list',
  summary: 'List artifacts of a tenant',
  description:
    'Artifacts of one kind come in pages. Without a kind, at most `limit` of each kind are returned at once.',
  access: 'read',
  input: {
    mission: Type.Optional(MissionReference),
    kind: Type.Optional(Kind),
    task: Type.Optional(property.text('Id of a task.', 'task_worker_01')),
    ...pageInput,
  },
  output: pageOf(ArtifactOutput<StoredArtifact>()),
  examples: [
    { ...exampleCaller, title: 'A whole mission', given: [examplePut], input: { mission: exampleMission } },
    { ...exampleCaller, title: 'One kind', given: [examplePut], input: { kind: 'writeback_proposal', limit: 20 } },
  ],
  async run({ mission, kind, task, limit, cursor }, { contracts }, context) {
    const reader = contracts.store.forTenant(requireTenant(context))
    const filter = { missionId: mission, taskId: task, limit }
    if (kind === undefined && cursor !== undefined) {
      throw new MinionsError('VALIDATION_FAILED', 'Only artifacts of one kind can be paged; give the `kind` as well.')
    }
    if (kind === undefined) return { items: await reader.all(filter) }
    return asPage(await reader.list<string>(kind, { ...filter, cursor }))
  },
})

export const get = operation({
  name: 'artifacts.get',
  summary: 'Get an artifact',
  access: 'read',
  input: {
    mission: MissionReference,
    kind: Kind,
    id: Type.Optional(property.text('Its id; not needed for an envelope or a task graph.', 'wrk_001')),
    revision: Type.Optional(property.whole('Revision of a task graph; default: the latest.', 1, { minimum: 1 })),
  },
  output: ArtifactOutput<StoredArtifact>(),
  examples: [
    {
      ...exampleCaller,
      title: 'A proposal',
      given: [examplePut],
      input: { mission: exampleMission, kind: 'writeback_proposal', id: writeback_proposal.proposal_id },
    },
  ],
  async run({ mission, kind, id, revision }, { contracts }, context) {
    const tenant = requireTenant(context)
    const artifact = await contracts.store.forTenant(tenant).get<string>(mission, kind, revision ?? id)
    if (artifact) return artifact
    const which = [kind, revision ?? id].filter((part) => part !== undefined).join(' ')
    const message = `The tenant "${tenant}" has no ${which.slice(0, 200)} in the mission "${mission.slice(0, 100)}".`
    throw new MinionsError('NOT_FOUND', message)
  },
})

export const validate = operation({
  name: 'artifacts.validate',
  summary: 'Validate an artifact, or the artifacts of a mission and the relations between them',
  access: 'read',
  input: {
    artifacts: Type.Immutable(
      Type.Array(Type.Unknown(), {
        minItems: 1,
        description: 'One artifact, or all of a mission.',
        examples: [[mission_envelope]],
      }),
    ),
  },
  output: Type.Object({
    valid: Type.Boolean(),
    errors: Type.Array(Type.Unsafe<ArtifactProblem>(IssueSchema)),
  }),
  examples: [{ title: 'An envelope', input: { artifacts: [mission_envelope] } }],
  run({ artifacts }, { contracts: { registry } }) {
    const { valid, errors } =
      artifacts.length === 1 ? registry.validate(artifacts[0]) : validateMission(artifacts, { registry })
    return { valid, errors: [...errors] }
  },
})

export const tenants = operation({
  name: 'artifacts.tenants',
  summary: 'List the tenants that have missions',
  access: 'read',
  perTenant: false,
  input: {},
  output: Type.Array(Type.String()),
  examples: [{ ...exampleCaller, title: 'All tenants', given: [examplePut], input: {} }],
  run: (_, { contracts }) => listTenants(contracts.store.storage),
})
