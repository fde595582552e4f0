import { randomUUID } from 'node:crypto'
import type { MinionsError } from '@minions/core'
import { type Operation, runExample, runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { expect, test } from 'vitest'
import { artifactExamples } from '../src/examples.js'
import { colonyContracts } from '../src/index.js'
import { list as listArtifacts, put } from '../src/operations/artifacts.js'
import { contractsOperations } from '../src/operations/contracts-operations.js'
import { approve, get as getProposal, list as listProposals } from '../src/operations/proposals.js'
import { artifactsOf, linkedMission } from './support/mission.js'
import { changed, newMission, PROPOSAL, storeMission, TENANT } from './support/stored-mission.js'

const call = { tenant: TENANT, by: 'ada' }
const start = () => createMinions({ storage: 'memory:', plugins: [colonyContracts()] })

const own: readonly Operation[] = contractsOperations

test.each(own.flatMap((operation) => (operation.examples ?? []).map((example) => ({ operation, example }))))(
  'the example "$example.title" of $operation.name runs',
  async ({ operation, example }) => {
    const app = await start()
    await runExample(app, operation, example)
    await app.close()
  },
)

/** Operations that belong to no tenant: a check, and the list of tenants. */
const WITHOUT_TENANT = ['artifacts.validate', 'artifacts.tenants']

test('every other operation works within a tenant, and says so', async () => {
  const app = await start()
  for (const { name, examples = [] } of own.filter((each) => !WITHOUT_TENANT.includes(each.name))) {
    const running = runOperation(app, name, examples[0]?.input, { by: 'ada' })
    await expect(running).rejects.toMatchObject({ code: 'VALIDATION_FAILED', message: expect.stringMatching(/tenant/) })
  }
  await app.close()
})

test('tenants are listed once each, for callers that may leave theirs', async () => {
  const app = await start()
  await storeMission(app.contracts.store)
  for (const [index, tenant_id] of ['tenant_a', 'tenant_z', 'tenant_a'].entries()) {
    const mission_id = `00000000-0000-4000-8000-00000000000${index}`
    await app.contracts.store.put({ ...artifactExamples.mission_envelope, mission_id, tenant_id })
  }
  expect(await runOperation(app, 'artifacts.tenants', {})).toEqual(['tenant_a', TENANT, 'tenant_z'])
  const confined = runOperation(app, 'artifacts.tenants', {}, { ...call, confined: true })
  await expect(confined).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await app.close()
})

test('what belongs to another tenant is not there and cannot be written', async () => {
  const app = await start()
  const { mission_envelope, writeback_proposal } = await storeMission(app.contracts.store)
  const mission = String(mission_envelope.mission_id)
  const other = { tenant: 'tenant_other', by: 'eve' }
  expect(await runOperation(app, 'artifacts.list', { mission }, other)).toEqual({ items: [] })
  expect(await runOperation(app, 'proposals.list', {}, other)).toEqual({ items: [] })
  const envelope = { mission, kind: 'mission_envelope' }
  await expect(runOperation(app, 'artifacts.get', envelope, other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const proposal = { proposal: PROPOSAL, reason: 'Because.' }
  await expect(runOperation(app, 'proposals.approve', proposal, other)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const { tenant_id: _tenant, ...ownerless } = changed(writeback_proposal, { proposal_id: 'wb_002' })
  for (const [artifact, code] of [
    [ownerless, 'LINKAGE_VIOLATION'],
    [{ ...ownerless, tenant_id: TENANT }, 'VALIDATION_FAILED'],
    [linkedMission().mission_envelope, 'VALIDATION_FAILED'],
  ] as const) {
    await expect(runOperation(app, 'artifacts.put', { artifacts: [artifact] }, other)).rejects.toMatchObject({ code })
  }
  await app.close()
})

test('storing into a mission of another tenant fails as for one that does not exist', async () => {
  const app = await start()
  const stored = await storeMission(app.contracts.store)
  const mission = String(stored.mission_envelope.mission_id)
  const other = { tenant: 'tenant_other', by: 'eve' }
  const refusal = (artifacts: readonly object[]) =>
    runOperation(app, 'artifacts.put', { artifacts }, other).then(
      () => ({ code: 'none', message: '', details: {} }),
      ({ code, message, details }: MinionsError) => ({ code, message, details }),
    )
  const without = ({ tenant_id: _tenant, ...artifact }: object & { tenant_id?: unknown }) => artifact
  const { mission_envelope: _envelope, ...rest } = stored
  for (const artifact of Object.values(rest).map(without)) {
    const unknown = randomUUID()
    const expected = JSON.stringify(await refusal([{ ...artifact, mission_id: unknown }]))
    expect(expected).toContain('LINKAGE_VIOLATION')
    expect(JSON.stringify(await refusal([artifact]))).toBe(expected.replaceAll(unknown, mission))
  }
  // An id is unique across tenants; nothing else about the mission is said.
  const taken = await refusal([{ ...without(stored.mission_envelope), tenant_id: 'tenant_other' }])
  expect(taken).toMatchObject({ code: 'CONFLICT', details: { mission_id: mission } })
  expect(JSON.stringify(taken)).not.toMatch(new RegExp(`${TENANT}|Hash|content`))
  await app.close()
})

test('artifacts are stored all or none, and once', async () => {
  const app = await start()
  const artifacts = artifactsOf(newMission())
  const broken = [...artifacts.slice(0, 3), { schema_name: 'worker_result' }]
  await expect(runOperation(app, 'artifacts.put', { artifacts: broken }, call)).rejects.toMatchObject({
    code: 'INVALID_ARTIFACT',
  })
  expect(await runOperation(app, 'artifacts.list', {}, call)).toEqual({ items: [] })
  const stored = await runOperation(app, put, { artifacts: artifacts as never }, call)
  expect(stored.map(({ created }) => created)).toEqual(artifacts.map(() => true))
  expect(stored[1]).toMatchObject({ revision: 1, artifact: { schema_name: 'mission_task_graph', tenant_id: TENANT } })
  const again = await runOperation(app, put, { artifacts: artifacts as never }, call)
  expect(again.some(({ created }) => created)).toBe(false)
  await app.close()
})

test('the caller is the producer of an artifact that names none', async () => {
  const app = await start()
  const { producer: _producer, ...envelope } = newMission().mission_envelope
  expect(await runOperation(app, 'artifacts.put', { artifacts: [envelope] }, call)).toMatchObject([
    { artifact: { producer: 'ada' } },
  ])
  await app.close()
})

test('artifacts are listed by mission, kind and task, in pages where they are of one kind', async () => {
  const app = await start()
  const { store } = app.contracts
  const missions = [await storeMission(store), await storeMission(store), await storeMission(store)]
  const reader = store.forTenant(TENANT)
  const mission = String(missions[1]?.mission_envelope.mission_id)
  const items = async (input: object) => (await runOperation(app, listArtifacts, input, call)).items
  expect(await items({ mission })).toEqual(await reader.mission(mission))
  expect(await items({})).toHaveLength(30)
  expect((await items({ limit: 1 })).map(({ schema_name }) => schema_name)).toEqual(store.registry.names())
  expect((await items({ mission, task: 'task_worker_01' })).map(({ schema_name }) => schema_name)).toEqual([
    'prompt_package',
    'librarian_pass',
    'worker_result',
  ])
  const kind = 'worker_result'
  const first = await runOperation(app, listArtifacts, { kind, limit: 2 }, call)
  const rest = await runOperation(app, listArtifacts, { kind, limit: 2, cursor: String(first.nextCursor) }, call)
  expect([...first.items, ...rest.items]).toEqual((await reader.list(kind)).items)
  expect(rest).not.toHaveProperty('nextCursor')
  for (const [input, code] of [
    [{ cursor: 'x' }, 'VALIDATION_FAILED'],
    [{ kind: 'nothing' }, 'KIND_NOT_STORED'],
    [{ kinds: [kind] }, 'VALIDATION_FAILED'],
  ] as const) {
    await expect(runOperation(app, 'artifacts.list', input, call)).rejects.toMatchObject({ code })
  }
  await app.close()
})

test('a revision of a task graph can be read', async () => {
  const app = await start()
  const { mission_envelope, mission_task_graph } = await storeMission(app.contracts.store)
  const mission = String(mission_envelope.mission_id)
  await app.contracts.store.put(changed(mission_task_graph, { created_at: '2026-04-14T13:00:00Z' }))
  const kind = 'mission_task_graph'
  const graph = (more: object) => runOperation(app, 'artifacts.get', { mission, kind, ...more }, call)
  expect(await graph({})).toMatchObject({ created_at: '2026-04-14T13:00:00Z' })
  expect(await graph({ revision: 1 })).toMatchObject({ created_at: mission_task_graph.created_at })
  await expect(graph({ revision: 3 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await app.close()
})

test('a check lists what is wrong with an artifact, or with a mission', async () => {
  const app = await start()
  const { mission_envelope, ...rest } = newMission()
  const check = (artifacts: unknown[]) => runOperation(app, 'artifacts.validate', { artifacts })
  expect(await check([mission_envelope])).toEqual({ valid: true, errors: [] })
  expect(await check([{ ...mission_envelope, risk_level: 'none' }])).toMatchObject({
    valid: false,
    errors: [{ pointer: '/risk_level', code: 'NOT_ALLOWED' }],
  })
  expect(await check([mission_envelope, ...Object.values(rest)])).toEqual({ valid: true, errors: [] })
  const orphans = await check([rest.worker_result, rest.review_packet])
  expect(orphans).toMatchObject({ errors: [{ code: 'NO_ENVELOPE' }, { pointer: '/0/mission_id' }, { code: 'ORPHAN' }] })
  await app.close()
})

test('a proposal is decided on once, by who calls, with the access to approve', async () => {
  const app = await start()
  const { writeback_proposal } = await storeMission(app.contracts.store)
  const input = { proposal: PROPOSAL, reason: 'Agreed with the client.' }
  await expect(runOperation(app, approve, input, { ...call, access: 'write' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  await expect(runOperation(app, approve, input, { tenant: TENANT })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
    message: expect.stringContaining('needs `by`'),
  })
  expect(await runOperation(app, getProposal, { proposal: PROPOSAL }, call)).toMatchObject({
    status: 'open',
    application: null,
    decisions: [],
  })
  const application = await runOperation(app, approve, input, { ...call, access: 'approve' })
  expect(application).toMatchObject({ status: 'approved', producer: 'ada' })
  await expect(runOperation(app, 'proposals.reject', input, call)).rejects.toMatchObject({ code: 'CONFLICT' })
  const found = await runOperation(app, getProposal, { proposal: PROPOSAL }, call)
  expect(found).toMatchObject({
    status: 'approved',
    proposal: writeback_proposal,
    application,
    decisions: [{ producer: 'ada', decision: 'allow', reason: 'Agreed with the client.' }],
  })
  await app.close()
})

test('proposals are listed by where they stand, however they are spread over pages', async () => {
  const app = await start()
  const { store, proposals } = app.contracts
  const { mission_envelope, writeback_proposal } = await storeMission(store)
  const mission = String(mission_envelope.mission_id)
  for (let number = 2; number <= 7; number++) {
    await store.put(changed(writeback_proposal, { proposal_id: `wb_00${number}` }))
  }
  for (const id of ['wb_005', 'wb_007']) await proposals.approve(id, { by: 'ada', reason: 'Yes.' })
  const collect = async (input: { status?: 'open' | 'approved' | 'rejected'; mission?: string }) => {
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const page = await runOperation(app, listProposals, { ...input, limit: 2, ...(cursor && { cursor }) }, call)
      ids.push(...page.items.map(({ proposal }) => proposal.proposal_id))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    return ids
  }
  expect(await collect({ status: 'approved' })).toEqual(['wb_005', 'wb_007'])
  expect(await collect({ status: 'rejected' })).toEqual([])
  expect(await collect({ status: 'open', mission })).toHaveLength(5)
  expect(await collect({})).toHaveLength(7)
  await app.close()
})
