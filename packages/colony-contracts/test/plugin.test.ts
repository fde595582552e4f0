import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import { Type } from 'typebox'
import { afterEach, expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { ArtifactRegistry, ColonyStore, colonyContracts, PolicyGate, Proposals } from '../src/index.js'
import { artifactsOf } from './support/mission.js'
import { newMission, PROPOSAL, storeMission, TENANT } from './support/stored-mission.js'

const clock = () => Date.parse('2026-04-14T12:30:00Z')
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function start(options?: Parameters<typeof colonyContracts>[0]) {
  const app = await createMinions({ storage: memoryStorage(), clock, plugins: [colonyContracts(options)] })
  closing.push(() => app.close())
  return app
}

it('has the name and version of the package', () => {
  expect(colonyContracts()).toMatchObject({
    ref: { name: manifest.name, namespace: 'contracts' },
    version: manifest.version,
  })
})

it('gives an app its store, gate, proposals and registry', async () => {
  const { contracts } = await start()
  expect(contracts.store).toBeInstanceOf(ColonyStore)
  expect(contracts.gate).toBeInstanceOf(PolicyGate)
  expect(contracts.proposals).toBeInstanceOf(Proposals)
  expect(contracts.registry).toBeInstanceOf(ArtifactRegistry)
  expect(contracts.registry).toBe(contracts.store.registry)
})

it('stores missions, uses the clock of the app, and follows its policy', async () => {
  const { contracts } = await start({ policy: { toolsBySensitivity: { internal_business: [] } } })
  const mission = await storeMission(contracts.store)
  const ref = { mission_id: String(mission.mission_envelope.mission_id), task_id: 'task_worker_01' }
  const { verdict, decision } = await contracts.gate.checkTool(ref, 'crm_search')
  expect(verdict.code).toBe('SENSITIVITY')
  expect(decision?.created_at).toBe('2026-04-14T12:30:00.000Z')
})

it('joins a transaction of the app, in which nothing of it remains when that fails', async () => {
  const app = await start()
  const mission = newMission()
  const missionId = String(mission.mission_envelope.mission_id)
  const failing = app.transaction(async (tx) => {
    await tx.create('note', { title: 'A mission', fields: { content: missionId } })
    await tx.contracts.store.putMany(artifactsOf(mission))
    await tx.contracts.proposals.approve(PROPOSAL, { by: 'me', reason: 'why not' })
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(await app.contracts.store.forTenant(TENANT).mission(missionId)).toEqual([])
  expect(await app.count()).toBe(0)
})

it('keeps kinds of your own', async () => {
  const kinds = [{ name: 'field_note', version: 'v1', schema: Type.Object({ text: Type.String() }) }]
  const { contracts } = await start({ kinds })
  const mission = await storeMission(contracts.store)
  const { mission_id } = mission.mission_envelope as { mission_id: string }
  await contracts.store.put({
    schema_name: 'field_note',
    schema_version: 'v1',
    mission_id,
    artifact_id: 'note_1',
    text: 'hello',
    created_at: '2026-04-14T12:30:00Z',
    producer: 'me',
  })
  expect((await contracts.store.forTenant(TENANT).list('field_note')).items).toMatchObject([{ text: 'hello' }])
})

it('refuses a policy that it does not understand', async () => {
  await expect(start({ policy: { requirePasses: true } as never })).rejects.toThrow(/colony-contracts/)
})
