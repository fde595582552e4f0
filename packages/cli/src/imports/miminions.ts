import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { jsonEqual } from '@minions/core/json'
import { type Workspace, WorkspaceManager } from '@minions/workspace'
import type { ForeignProblem } from './foreign-content.js'
import { Refused } from './refused.js'

/**
 * Imports the workspaces of a MiMinions home, all or nothing, and resolves to how many there were and how many are new.
 * Their folders are used where they are.
 */
export async function takeInHome(home: string, target: WorkspaceManager): Promise<{ read: number; added: number }> {
  const source = new WorkspaceManager(home, { readOnly: true })
  const workspaces = Object.values(await source.loadWorkspaces())
  const problems: ForeignProblem[] = source
    .problems()
    .map(({ workspaceId, message }) => ({ where: workspaceId ?? 'workspaces.json', message }))
  for (const workspace of workspaces) keepFolder(home, workspace)
  const added = await target.update((existing) => {
    const fresh = workspaces.filter((workspace) => {
      const other = Object.hasOwn(existing, workspace.id) ? existing[workspace.id] : undefined
      if (other && !jsonEqual(other.toDict(), workspace.toDict())) {
        problems.push({ where: workspace.id, message: 'there is another workspace with this id' })
      }
      return !other
    })
    if (problems.length > 0) throw new Refused(problems)
    for (const workspace of fresh) existing[workspace.id] = workspace
    return fresh.length
  })
  return { read: workspaces.length, added }
}

/** A workspace without a path has its folder where MiMinions creates it, which is not where we would. */
function keepFolder(home: string, workspace: Workspace): void {
  const folder = join(home, 'workspaces', `ws_${workspace.id}`)
  if (workspace.root_path === null && existsSync(folder)) workspace.root_path = folder
}
