import { guarded } from '@minions/core/plugin'
import { aggregate } from '../roles/deterministic/aggregator.js'
import { givePasses } from '../roles/deterministic/librarian.js'
import { plan } from '../roles/deterministic/planner.js'
import { packPrompts } from '../roles/deterministic/prompt-master.js'
import { research } from '../roles/deterministic/researcher.js'
import { review } from '../roles/deterministic/reviewer.js'
import { assess } from '../roles/deterministic/worker.js'
import type { Roles } from '../roles/role.js'
import type { ExampleMission } from './example-mission.js'
import { exampleTools } from './example-tools.js'

/**
 * The roles of the example, which need no model: the same envelope and tools always give the same artifacts. They
 * assess leads, by default those of `exampleMission`; the demo and the tests run them.
 */
export const exampleRoles = guarded('exampleRoles', exampleRolesUnchecked)

function exampleRolesUnchecked(data?: Pick<ExampleMission, 'leads' | 'reports'>): Required<Roles> {
  return {
    planner: plan,
    prompt_master: packPrompts,
    librarian: givePasses,
    researcher: research,
    worker: assess,
    aggregator: aggregate,
    reviewer: review,
    tools: exampleTools(data),
  }
}
