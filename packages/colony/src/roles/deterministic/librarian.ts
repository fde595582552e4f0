import { timestamp } from '@minions/core'
import { artifactName } from '../draft.js'
import type { RoleHandler } from '../role.js'

const PASS_MILLISECONDS = 60 * 60 * 1000

/** A one-hour pass for every task that depends on this one and needs data. */
export const givePasses: RoleHandler<'librarian'> = ({ graph, task }, { now }) =>
  graph.tasks
    .filter((each) => each.depends_on.includes(task.task_id) && each.required_data_scopes.length > 0)
    .map((each) => ({
      task_id: each.task_id,
      pass_id: artifactName('pass', each.task_id),
      allowed_resource_families: each.required_data_scopes,
      recommended_queries: each.allowed_tools.map((tool) => ({ tool, query: each.objective })),
      cached_previews: [],
      expires_at: timestamp(Date.parse(now) + PASS_MILLISECONDS),
    }))
