import { definePlugin, type Plugin, tokens } from '@minions/core'
import { Type } from 'typebox'
import { PolicyGate } from './gate/policy-gate.js'
import type { PolicyConfig } from './policy/policy-config.js'
import type { ArtifactKind } from './registry/artifact-kind.js'
import type { ArtifactRegistry } from './registry/artifact-registry.js'
import { ColonyStore } from './store/colony-store.js'
import { Proposals } from './writeback/proposals.js'

export interface ColonyContractsOptions {
  readonly policy?: PolicyConfig
  /** Kinds and versions of your own, registered and stored like the ten. */
  readonly kinds?: readonly ArtifactKind[]
}

/** What an app gets as `contracts`. */
export interface ColonyContracts {
  readonly store: ColonyStore
  readonly gate: PolicyGate
  readonly proposals: Proposals
  readonly registry: ArtifactRegistry
}

const PolicySchema = Type.Object(
  {
    toolsBySensitivity: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    requirePass: Type.Optional(Type.Boolean()),
    allowUnapprovedWriteback: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const version = '0.1.0'

/** The mission artifacts as a plugin: `app.contracts` has the store, the gate, the proposals and the registry. */
export function colonyContracts({
  policy,
  kinds = [],
}: ColonyContractsOptions = {}): Plugin<'contracts', ColonyContracts> {
  return definePlugin({
    name: '@minions/colony-contracts',
    namespace: 'contracts',
    version,
    collections: ColonyStore.collections(kinds),
    options: { schema: PolicySchema, value: policy ?? {} },
    setup(context): ColonyContracts {
      const store = new ColonyStore(context.storage, { kinds })
      const clock = context.resolve(tokens.clock)
      const ids = context.resolve(tokens.ids)
      const options = { clock, ids, ...(policy && { policy }) }
      const { registry } = store
      return { store, gate: new PolicyGate(store, options), proposals: new Proposals(store, options), registry }
    },
    join({ store, gate, proposals, registry }, { storage }) {
      return { store: store.with(storage), gate: gate.with(storage), proposals: proposals.with(storage), registry }
    },
  })
}
