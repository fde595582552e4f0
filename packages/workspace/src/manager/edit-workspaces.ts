import type { Clock } from '@minions/core'
import { workspaceError } from '../errors.js'
import { Rule, type RuleInput } from '../graph/rule.js'
import { Workspace } from '../graph/workspace.js'
import { matching } from './resolve-workspace.js'
import { sampleWorkspace } from './sample-workspace.js'
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

export function addWorkspace(
  workspaces: Workspaces,
  input: NewWorkspace,
  options: { readonly clock?: Clock },
): Workspace {
  const { name, description, sample = false } = input
  checkName(workspaces, name)
  const workspace = sample ? sampleWorkspace(options) : new Workspace({ name }, options)
  workspace.name = name
  workspace.description = description ?? workspace.description
  workspaces[workspace.id] = workspace
  return workspace
}

export function changeWorkspace(workspaces: Workspaces, workspace: Workspace, patch: WorkspacePatch): void {
  const { name = workspace.name, description = workspace.description } = patch
  if (name !== workspace.name) checkName(workspaces, name)
  workspace.name = name
  workspace.description = description
}

export function addRuleTo(workspace: Workspace, input: RuleInput): Rule {
  if (input.name.trim() === '') throw workspaceError('VALIDATION_FAILED', 'The name of a rule cannot be empty.')
  const rule = new Rule(input)
  workspace.addRule(rule)
  return rule
}

export function removeRuleFrom(workspace: Workspace, ref: string): Rule {
  const rule = findRule(workspace, ref)
  workspace.removeRule(rule.id)
  return rule
}

/** Two workspaces with the same name could not be distinguished by it. */
function checkName(workspaces: Workspaces, name: string): void {
  if (name.trim() === '') throw workspaceError('VALIDATION_FAILED', 'The name of a workspace cannot be empty.')
  if (!Object.values(workspaces).some((other) => other.name === name)) return
  throw workspaceError('VALIDATION_FAILED', `There is already a workspace "${name}"; choose another name.`, {
    details: { name },
  })
}

function findRule({ name, rules }: Workspace, ref: string): Rule {
  const [rule, ...others] = matching(Object.values(rules), ref)
  if (rule && others.length === 0) return rule
  const problem = rule ? `has ${others.length + 1} rules "${ref}"; give an id` : `has no rule "${ref}"`
  throw workspaceError('NOT_FOUND', `The workspace "${name}" ${problem}.`, { details: { ref } })
}
