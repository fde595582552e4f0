import { nearestName } from '@minions/core'
import { guarded } from '@minions/core/plugin'
import { workspaceError } from '../errors.js'
import type { Workspace } from '../graph/workspace.js'

/**
 * The workspace with this id, else the one with this name, else the one with this id prefix; `undefined` when there is
 * none. Throws `AMBIGUOUS_REFERENCE` when several match.
 */
export const resolveWorkspace = guarded(
  'resolveWorkspace',
  (workspaces: Readonly<Record<string, Workspace>>, ref: string): Workspace | undefined => {
    if (typeof ref !== 'string') return undefined
    const matches = matching(Object.values(workspaces), ref)
    if (matches.length <= 1) return matches[0]
    const list = matches.map(({ id, name }) => ({ id, name }))
    const message = `${JSON.stringify(ref)} matches ${list.length} workspaces: ${list.map(({ id, name }) => `${id} (${name})`).join(', ')}. Give a full id.`
    throw workspaceError('AMBIGUOUS_REFERENCE', message, { details: { ref, matches: list } })
  },
)

/** Those with this id, else those with this name, else those with this id prefix. */
export function matching<T extends { readonly id: string; readonly name: string }>(all: T[], ref: string): T[] {
  if (ref === '') return []
  const groups = [
    all.filter(({ id }) => id === ref),
    all.filter(({ name }) => name === ref),
    all.filter(({ id }) => id.startsWith(ref)),
  ]
  return groups.find((group) => group.length > 0) ?? []
}

/** A workspace found like in `resolveWorkspace`. Throws `NOT_FOUND` or `AMBIGUOUS_REFERENCE`. */
export const findWorkspace = guarded('findWorkspace', findWorkspaceUnchecked)

function findWorkspaceUnchecked(workspaces: Readonly<Record<string, Workspace>>, ref: string): Workspace {
  const workspace = resolveWorkspace(workspaces, ref)
  if (workspace) return workspace
  const names = Object.values(workspaces).map(({ name }) => name)
  const nearest = typeof ref === 'string' ? nearestName(ref, names) : undefined
  const hint =
    nearest === undefined ? 'list the workspaces with workspaces.list.' : `did you mean ${JSON.stringify(nearest)}?`
  throw workspaceError('NOT_FOUND', `There is no workspace ${JSON.stringify(ref)}; ${hint}`, {
    details: { ref: String(ref), ...(nearest !== undefined && { nearest }) },
  })
}
