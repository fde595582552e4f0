import { workspaceError } from '../errors.js'
import type { Rule } from '../graph/rule.js'
import type { Workspace } from '../graph/workspace.js'
import { matching } from './resolve-workspace.js'
import type { Workspaces } from './workspace-manager.js'

/** The input for a new workspace. */
export interface NewWorkspace {
  readonly name: string
  readonly description?: string | undefined
  /** With example nodes, rules and state. */
  readonly sample?: boolean | undefined
}

/** Attributes of a workspace that can be changed. */
export interface WorkspacePatch {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** Two workspaces with the same name could not be distinguished by it. */
export function checkName(workspaces: Workspaces, name: string): void {
  if (name.trim() === '') throw workspaceError('VALIDATION_FAILED', 'The name of a workspace cannot be empty.')
  if (!Object.values(workspaces).some((other) => other.name === name)) return
  throw workspaceError('VALIDATION_FAILED', `There is already a workspace "${name}"; choose another name.`, {
    details: { name },
  })
}

export function findRule({ name, rules }: Workspace, ref: string): Rule {
  const [rule, ...others] = matching(Object.values(rules), ref)
  if (rule && others.length === 0) return rule
  const problem = rule ? `has ${others.length + 1} rules "${ref}"; give an id` : `has no rule "${ref}"`
  throw workspaceError('NOT_FOUND', `The workspace "${name}" ${problem}.`, { details: { ref } })
}
