import type { MissionEnvelope } from '@minions/colony-contracts'
import { guarded } from '@minions/core/plugin'
import type { ExampleMission } from '../../example/example-mission.js'
import { exampleRoles } from '../../example/example-roles.js'
import { approveSupported, collect, noteTask, planAny } from '../neutral/neutral-roles.js'
import type { Roles } from '../role.js'
import { leadIdsOf } from './planner.js'

/**
 * Roles that need no model and suit any mission: the same envelope and tools always give the same artifacts. They plan
 * a task for each thing that the envelope names and record what was to be done. A mission that names leads is performed
 * by `exampleRoles()`, by default with the leads and reports of the example.
 */
export const deterministicRoles = guarded('deterministicRoles', deterministicRolesUnchecked)

function deterministicRolesUnchecked(data?: Pick<ExampleMission, 'leads' | 'reports'>): Required<Roles> {
  const example = exampleRoles(data)
  const neutral = { planner: planAny, worker: noteTask, aggregator: collect, reviewer: approveSupported }
  const rolesOf = ({ envelope }: { readonly envelope: MissionEnvelope }) =>
    leadIdsOf(envelope).length > 0 ? example : neutral
  return {
    ...example,
    planner: (input, context) => rolesOf(input).planner(input, context),
    worker: (input, context) => rolesOf(input).worker(input, context),
    aggregator: (input, context) => rolesOf(input).aggregator(input, context),
    reviewer: (input, context) => rolesOf(input).reviewer(input, context),
  }
}
