import { eventSources, operations } from '@minions/core/operations'
import { approvalGate, definePlugin, guarded, optional, tokens } from '@minions/core/plugin'
import { strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import manifest from '../package.json' with { type: 'json' }
import { PolicyGate } from './gate/policy-gate.js'
import { contractsOperations } from './operations/contracts-operations.js'
import type { PolicyConfig } from './policy/policy-config.js'
import { contractsRef } from './ref.js'
import type { ArtifactKind } from './registry/artifact-kind.js'
import { ColonyStore } from './store/colony-store.js'
import { Proposals } from './writeback/proposals.js'

export interface ColonyContractsOptions {
  readonly policy?: PolicyConfig
  /** Custom kinds and versions, registered and stored like the ten. */
  readonly kinds?: readonly ArtifactKind[]
}

const PolicySchema = strictObject({
  toolsBySensitivity: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  requirePass: Type.Optional(Type.Boolean()),
  allowUnapprovedWriteback: Type.Optional(Type.Boolean()),
})

const ARTIFACT_EVENTS = { operation: 'artifacts.get', tenant: 'tenant_id', mission: 'mission_id' } as const

/** The mission artifacts as a plugin: `app.contracts` has the store, the gate, the proposals and the registry. */
export const colonyContracts = guarded('colonyContracts', ({ policy, kinds = [] }: ColonyContractsOptions = {}) => {
  const collections = ColonyStore.collections(kinds)
  return definePlugin({
    ref: contractsRef,
    version: manifest.version,
    deps: { storage: tokens.store, clock: tokens.clock, ids: tokens.ids, approvals: optional(approvalGate) },
    collections,
    contributes: [
      [operations, contractsOperations],
      [eventSources, collections.map((collection) => ({ collection, ...ARTIFACT_EVENTS }))],
    ],
    options: { schema: PolicySchema, value: policy ?? {} },
    setup({ storage, clock, ids, approvals }) {
      const store = new ColonyStore(storage, { kinds })
      const options = { clock, ids, ...(policy && { policy }) }
      const { registry } = store
      const proposals = new Proposals(store, { ...options, approvals })
      return { store, gate: new PolicyGate(store, options), proposals, registry }
    },
    join: ({ store, gate, proposals, registry }, { storage }) => ({
      store: store.with(storage),
      gate: gate.with(storage),
      proposals: proposals.with(storage),
      registry,
    }),
  })
})
