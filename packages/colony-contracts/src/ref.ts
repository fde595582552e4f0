import { pluginRef } from '@minions/core/plugin'
import type { PolicyGate } from './gate/policy-gate.js'
import type { ArtifactRegistry } from './registry/artifact-registry.js'
import type { ColonyStore } from './store/colony-store.js'
import type { Proposals } from './writeback/proposals.js'

/** What an app gets as `contracts`. */
export interface ColonyContracts {
  readonly store: ColonyStore
  readonly gate: PolicyGate
  readonly proposals: Proposals
  readonly registry: ArtifactRegistry
}

/** The mission artifacts of an app, as other plugins depend on them. Everything works inside a transaction too. */
export const contractsRef = pluginRef<ColonyContracts, ColonyContracts>()('@minions/colony-contracts', 'contracts')
