import { operationsWith, property } from '@minions/core/operations'
import { workspaceRef } from '../plugin/ref.js'

export const operation = operationsWith({ workspace: workspaceRef })

/** A workspace, as accepted by all operations on workspaces. */
export const WorkspaceName = property.text('Name, id, or unique prefix of the id of a workspace.', 'research', {
  minLength: 1,
})

/** What operations that read one workspace have in common. */
export const reading = { access: 'read', input: { workspace: WorkspaceName } } as const

export const exampleWorkspace = ['workspaces.add', { name: 'research', sample: true }] as const
