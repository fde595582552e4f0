import { pluginRef } from '@minions/core/plugin'
import type { PolicyGate } from './gate/policy-gate.js'
import type { ArtifactRegistry } from './registry/artifact-registry.js'
import type { ColonyStore } from './store/colony-store.js'
import type { Proposals } from './writeback/proposals.js'

/** The API under `app.contracts`. */
export interface ColonyContracts {
  readonly store: ColonyStore
  readonly gate: PolicyGate
  readonly proposals: Proposals
  readonly registry: ArtifactRegistry
}

/** The mission artifacts of an app, as a dependency of other plugins. Everything also works inside a transaction. */
export const contractsRef = pluginRef<ColonyContracts, ColonyContracts>()('@minions/colony-contracts', 'contracts')
