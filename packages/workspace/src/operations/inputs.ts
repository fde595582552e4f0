import { Type } from 'typebox'

/** An input is closed: a misspelt name is refused, not passed over. */
export const closed = { additionalProperties: false } as const

/** A workspace, as every operation on one takes it. */
export const WorkspaceName = Type.String({
  minLength: 1,
  description: 'Name, id, or unique beginning of the id of a workspace.',
  examples: ['research'],
})

/** Creates the workspace that the examples work on. */
export const exampleWorkspace = ['workspaces.add', { name: 'research', sample: true }] as const
