import { defineErrors } from '@minions/core'

/** Every code this package throws, with its meaning. */
export const CONTRACTS_ERROR_CODES = {
  INVALID_ARTIFACT: 'An artifact breaks its contract; `details.errors` lists every problem.',
  INVALID_TASK_GRAPH: 'A task graph has no execution order; `details.errors` lists every problem.',
  INVALID_ARTIFACT_KIND: 'An artifact kind cannot be registered: its name, version, schema or upcasters are unusable.',
  ARTIFACT_KIND_EXISTS: 'This schema name and version are already registered.',
  UNKNOWN_ARTIFACT_KIND: 'No contract is registered under this schema name and version; `details.known` lists them.',
  UPCAST_FAILED: 'An artifact could not be upcast to a newer version of its contract.',
  LINKAGE_VIOLATION: 'An artifact is inconsistent with its mission; `details.errors` lists every problem.',
  KIND_NOT_STORED: 'The store has no collection for this kind of artifact; pass the kind to the store or plugin.',
  POLICY_DENIED: 'The policy does not allow it; `details.verdict` says why.',
  SELF_APPROVAL: 'The one on whose behalf a mission runs cannot approve what it proposes.',
  AMBIGUOUS_ID: 'Several missions have a record with this id; name the mission.',
  HANDLER_IN_TRANSACTION: 'A writeback handler cannot run inside a transaction.',
  WRITEBACK_FAILED: 'The handler of a writeback threw; the proposal can be applied again with the same key.',
  ENVELOPE_MISMATCH: 'An artifact and the envelope of its mission disagree; `details.errors` says where.',
}
export type ContractsErrorCode = keyof typeof CONTRACTS_ERROR_CODES

export const contractsError = defineErrors(CONTRACTS_ERROR_CODES)
