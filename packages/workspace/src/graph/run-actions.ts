import { AsyncLocalStorage } from 'node:async_hooks'
import { getOwn } from '@minions/core/json'
import { workspaceError } from '../errors.js'
import type { RuleMatch } from './rule-match.js'
import type { Workspace } from './workspace.js'

/** Called with the action of a matching rule; its return value becomes part of the report. */
export type ActionHandler = (action: Record<string, unknown>, match: RuleMatch, workspace: Workspace) => unknown

export interface RunActionsOptions {
  /** Report what would be called, without calling it. */
  readonly dryRun?: boolean
  /** Maximum number of actions before the run counts as endless. Default: 1,000 more than there are rules. */
  readonly maxActions?: number
}

/** The outcome of one match. `unhandled`: there is no handler for this type of action. */
export interface ActionReport extends RuleMatch {
  readonly status: 'done' | 'planned' | 'unhandled'
  readonly result?: unknown
}

const MAX_NESTED_RUNS = 10
const nesting = new AsyncLocalStorage<number>()

/**
 * Calls the handler named by each matching rule's `action.type`, highest priority first. Conditions are re-evaluated
 * after every action, since handlers change the workspace; each rule runs at most once.
 */
export async function runActions(
  workspace: Workspace,
  handlers: Readonly<Record<string, ActionHandler>>,
  options: RunActionsOptions = {},
): Promise<ActionReport[]> {
  if (options.dryRun) {
    return workspace
      .evaluateStateLogic()
      .map((match) => ({ ...match, status: find(handlers, match) ? 'planned' : 'unhandled' }))
  }
  const depth = (nesting.getStore() ?? 0) + 1
  if (depth > MAX_NESTED_RUNS) throw loop(`runs started inside handlers of runs are ${MAX_NESTED_RUNS} deep`)
  return nesting.run(depth, () => run(workspace, handlers, options.maxActions))
}

async function run(
  workspace: Workspace,
  handlers: Readonly<Record<string, ActionHandler>>,
  maxActions = workspace.getAllRules().length + 1000,
): Promise<ActionReport[]> {
  const reports: ActionReport[] = []
  const seen = new Set<string>()
  for (;;) {
    const match = workspace.evaluateStateLogic().find(({ rule_id }) => !seen.has(rule_id))
    if (!match) return reports
    if (reports.length >= maxActions) throw loop(`${maxActions} actions have run and rules still match`)
    seen.add(match.rule_id)
    reports.push(await perform(workspace, match, find(handlers, match), reports))
  }
}

async function perform(
  workspace: Workspace,
  match: RuleMatch,
  handler: ActionHandler | undefined,
  completed: readonly ActionReport[],
): Promise<ActionReport> {
  if (!handler) return { ...match, status: 'unhandled' }
  try {
    return { ...match, status: 'done', result: await handler(match.action, match, workspace) }
  } catch (cause) {
    const message = `The handler of ${JSON.stringify(match.action.type)} failed for rule "${match.rule_name}"; lower priorities did not run.`
    throw workspaceError('ACTION_FAILED', message, {
      details: { rule_id: match.rule_id, completed: completed.map(({ rule_id }) => rule_id) },
      cause,
    })
  }
}

function find(handlers: Readonly<Record<string, ActionHandler>>, match: RuleMatch): ActionHandler | undefined {
  const type = match.action.type
  return typeof type === 'string' ? getOwn(handlers, type) : undefined
}

function loop(what: string): Error {
  return workspaceError('ACTION_LOOP', `The run was stopped: ${what}. Look for handlers that trigger one another.`)
}
