import { isRecord, pointerTo } from '@minions/core/json'
import { issuesBelow } from '@minions/core/schema'
import { Node, Rule, Workspace } from '@minions/workspace'
import { type DocumentProblem, thrownProblems } from './problem.js'

/** Problems of a workspace: each node and rule on its own, then the rest. */
export function workspaceProblems(record: unknown, id?: string): DocumentProblem[] {
  if (!isRecord(record)) return [{ pointer: '', code: 'TYPE', message: 'must be an object' }]
  const { nodes = {}, rules = {}, inherited_rules = {}, ...head } = record
  const problems = [
    ...membersOf('nodes', nodes, (node) => Node.fromDict(node)),
    ...membersOf('rules', rules, (rule) => Rule.fromDict(rule)),
    ...membersOf('inherited_rules', inherited_rules, (rule) => Rule.fromDict(rule)),
    ...thrownProblems(() => Workspace.fromDict({ ...(id !== undefined && { id }), ...head } as never)),
  ]
  if (id !== undefined && head.id !== undefined && head.id !== id) {
    problems.push({ pointer: '/id', code: 'const', message: `must be "${id}", under which the workspace is kept` })
  }
  return problems
}

/** The content of a `workspaces.json`: workspaces by id. */
export function workspacesProblems(file: unknown): DocumentProblem[] {
  if (!isRecord(file)) return [{ pointer: '', code: 'TYPE', message: 'must be an object of workspaces by id' }]
  return Object.entries(file).flatMap(([id, record]) => issuesBelow(pointerTo('', id), workspaceProblems(record, id)))
}

function membersOf(name: string, members: unknown, read: (member: never) => unknown): DocumentProblem[] {
  const base = pointerTo('', name)
  if (!isRecord(members)) return [{ pointer: base, code: 'TYPE', message: 'must be an object' }]
  return Object.entries(members).flatMap(([id, member]) => {
    const pointer = pointerTo(base, id)
    if (!isRecord(member)) return [{ pointer, code: 'TYPE', message: 'must be an object' }]
    return issuesBelow(
      pointer,
      thrownProblems(() => read({ id, ...member } as never)),
    )
  })
}
