import type { Clock } from '@minions/core'
import { setOwn } from '@minions/core/json'
import { readClock } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import { Rule, type RuleInput } from '../graph/rule.js'
import { Workspace } from '../graph/workspace.js'
import { findWorkspace } from './resolve-workspace.js'
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

interface Options {
  readonly clock?: Clock
}

export function addWorkspace(workspaces: Workspaces, input: NewWorkspace, options: Options): Workspace {
  const { name, description, sample = false } = input
  checkName(workspaces, name)
  const workspace = sample ? sampleWorkspace(options) : new Workspace({ name }, options)
  workspace.name = name
  workspace.description = description ?? workspace.description
  workspaces[workspace.id] = workspace
  return workspace
}

export function changeWorkspace(
  workspaces: Workspaces,
  ref: string,
  { name, description }: WorkspacePatch,
  { clock }: Options,
): Workspace {
  const workspace = findWorkspace(workspaces, ref)
  if (name !== undefined && name !== workspace.name) checkName(workspaces, name)
  workspace.name = name ?? workspace.name
  workspace.description = description ?? workspace.description
  workspace.updated_at = readClock(clock)
  return workspace
}

export function removeWorkspace(workspaces: Workspaces, ref: string): Workspace {
  const workspace = findWorkspace(workspaces, ref)
  delete workspaces[workspace.id]
  return workspace
}

export function setStateOf(
  workspaces: Workspaces,
  ref: string,
  [key, value]: readonly [key: string, value: unknown],
  { clock }: Options,
): Workspace {
  const workspace = findWorkspace(workspaces, ref)
  setOwn(workspace.state, key, value)
  workspace.updated_at = readClock(clock)
  return workspace
}

export function addRuleTo(workspaces: Workspaces, ref: string, input: RuleInput): Rule {
  if (input.name.trim() === '') throw workspaceError('VALIDATION_FAILED', 'The name of a rule cannot be empty.')
  const rule = new Rule(input)
  findWorkspace(workspaces, ref).addRule(rule)
  return rule
}

export function removeRuleFrom(workspaces: Workspaces, ref: string, ruleRef: string): Rule {
  const workspace = findWorkspace(workspaces, ref)
  const rule = findRule(workspace, ruleRef)
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

/** The rule with this id, else the one with this name, else the one with this id prefix. */
function findRule({ name, rules }: Workspace, ref: string): Rule {
  const all = Object.values(rules)
  const groups = [
    all.filter(({ id }) => id === ref),
    all.filter((rule) => rule.name === ref),
    all.filter(({ id }) => ref !== '' && id.startsWith(ref)),
  ]
  const [rule, ...others] = groups.find((group) => group.length > 0) ?? []
  if (rule && others.length === 0) return rule
  const problem = rule ? `has ${others.length + 1} rules "${ref}"; give an id` : `has no rule "${ref}"`
  throw workspaceError('NOT_FOUND', `The workspace "${name}" ${problem}.`, { details: { ref } })
}
