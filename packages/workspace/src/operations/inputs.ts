import { Type } from 'typebox'

/** An input is closed: a misspelt name is refused, not ignored. */
export const closed = { additionalProperties: false } as const

/** A workspace, as accepted by all operations on workspaces. */
export const WorkspaceName = Type.String({
  minLength: 1,
  description: 'Name, id, or unique prefix of the id of a workspace.',
  examples: ['research'],
})

/** Creates the workspace that the examples use. */
export const exampleWorkspace = ['workspaces.add', { name: 'research', sample: true }] as const
