import { quote } from '@minions/core'
import { ACCESS_KINDS, type Access, includesAccess, type Operation } from '@minions/core/operations'
import { takeList } from '@minions/core/plugin'
import { mcpError } from '../errors.js'

/** Which operations clients see as tools, and which they may run at all. */
export interface Profile {
  /** Names of operations, and patterns such as `prompts.*`; by default a selection of the most useful ones. */
  readonly tools?: readonly string[] | undefined
  /** Kinds of access that clients get, as far as their key permits; only `read` by default. */
  readonly access?: readonly Access[] | undefined
}

/** Operations that are tools by default, if they exist and fit the budget. */
export const DEFAULT_TOOLS: readonly string[] = [
  'objects.search',
  'objects.find',
  'objects.get',
  'objects.count',
  'relations.walk',
  'relations.tree',
  'types.list',
  'types.get',
  'prompts.list',
  'prompts.get',
  'prompts.render',
  'prompts.history',
  'workspaces.list',
  'workspaces.context',
  'missions.list',
  'missions.status',
  'missions.get',
  'missions.run',
  'artifacts.list',
  'artifacts.get',
  'proposals.list',
  'skills.list',
  'changes.list',
  'diagrams.render',
  'objects.create',
  'objects.update',
]

const PATTERN = /^(?:\*|[a-z][A-Za-z0-9]*\.(?:\*|[A-Za-z0-9.]*[A-Za-z0-9]))$/

/** Checks a profile. Throws `VALIDATION_FAILED`. */
export function checkProfile({ tools = [], access = [] }: Profile): void {
  for (const pattern of takeList('The tools', tools)) {
    if (typeof pattern === 'string' && PATTERN.test(pattern)) continue
    throw mcpError(
      'VALIDATION_FAILED',
      `Tools are chosen by names and patterns such as "objects.find" or "prompts.*", not by ${quote(pattern)}.`,
    )
  }
  for (const kind of takeList('The kinds of access', access)) {
    if (ACCESS_KINDS.includes(kind)) continue
    const list = ACCESS_KINDS.join(', ')
    throw mcpError('VALIDATION_FAILED', `There is no access ${quote(kind)}; choose from ${list}.`)
  }
}

/** Kinds of access that both the grant and the profile allow. */
export function narrowedAccess(
  granted: Access | readonly Access[] | undefined,
  { access = ['read'] }: Profile,
): Access[] {
  return ACCESS_KINDS.filter(
    (kind) => includesAccess(access, kind) && (granted === undefined || includesAccess(granted, kind)),
  )
}

/** Operations that a profile chooses, in the order in which it names them. */
export function chosenBy(patterns: readonly string[], operations: readonly Operation[]): Operation[] {
  const chosen = new Set<Operation>()
  for (const pattern of patterns) for (const each of operations) if (fitsPattern(pattern, each.name)) chosen.add(each)
  return [...chosen]
}

/** True if a pattern of a profile chooses an operation. */
export function fitsPattern(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
