import type { Page } from '@minions/core'
import type { ApiOf } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { expectTypeOf, it } from 'vitest'
import {
  type ArtifactRegistry,
  type ColonyContracts,
  type ColonyStore,
  colonyContracts,
  contractsRef,
  type PolicyGate,
  type Proposals,
  type StoredArtifact,
  type WritebackApplication,
  type WritebackProposal,
} from '../src/index.js'

declare const store: ColonyStore
declare const proposals: Proposals

it('types what is read by its kind', () => {
  const reader = store.forTenant('t')
  expectTypeOf(reader.get('m', 'worker_result', 'w')).resolves.toEqualTypeOf<
    StoredArtifact<'worker_result'> | undefined
  >()
  expectTypeOf(reader.list('worker_result')).resolves.toEqualTypeOf<Page<StoredArtifact<'worker_result'>>>()
  expectTypeOf(reader.get('m', 'field_note', 'n')).resolves.toEqualTypeOf<StoredArtifact | undefined>()
  // @ts-expect-error reading is within one tenant
  store.get('m', 'worker_result', 'w')
  // @ts-expect-error such a filter would be ignored
  reader.missions({ risk_level: 'high' })
})

it('types what a handler gets', () => {
  const applied = proposals.apply('wb_001', (proposal, { idempotencyKey, attempt }) => {
    expectTypeOf(proposal).toEqualTypeOf<WritebackProposal>()
    expectTypeOf(idempotencyKey).toEqualTypeOf<string>()
    expectTypeOf(attempt).toEqualTypeOf<number>()
  })
  expectTypeOf(applied).resolves.toEqualTypeOf<WritebackApplication>()
  // @ts-expect-error nobody decides without a reason
  proposals.approve('wb_001', { by: 'me' })
})

it('types the plugin', async () => {
  expectTypeOf(colonyContracts().ref).toEqualTypeOf(contractsRef)
  expectTypeOf<ApiOf<typeof contractsRef>>().toEqualTypeOf<ColonyContracts>()
  const app = await createMinions({ storage: 'memory:', plugins: [colonyContracts()] })
  expectTypeOf(app.contracts.store).toEqualTypeOf<ColonyStore>()
  expectTypeOf(app.contracts.gate).toEqualTypeOf<PolicyGate>()
  expectTypeOf(app.contracts.proposals).toEqualTypeOf<Proposals>()
  expectTypeOf(app.contracts.registry).toEqualTypeOf<ArtifactRegistry>()
})
