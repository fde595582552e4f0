import { artifactName, type Draft } from '../draft.js'
import type { RoleHandler } from '../role.js'

/** A package for every task that depends on this one, from the published prompt of its role. */
export const packPrompts: RoleHandler<'prompt_master'> = async ({ graph, task }, context) => {
  const packages: Draft<'prompt_package'>[] = []
  for (const each of graph.tasks) {
    if (!each.depends_on.includes(task.task_id)) continue
    packages.push({
      ...(await context.prompt(each)),
      task_id: each.task_id,
      package_id: artifactName('pkg', each.task_id),
      role_type: each.role_type,
      constraints: { must_cite_sources: true, must_not_writeback_directly: true },
      tool_scope: each.allowed_tools,
      model_route: 'none',
    })
  }
  return packages
}
