import { defineOperation } from '@minions/core/operations'
import { tokens } from '@minions/core/plugin'
import { Type } from 'typebox'
import { SessionEntrySchema } from '../memory/session-store.js'
import { workspaceRef } from '../plugin/ref.js'
import { closed, exampleWorkspace, WorkspaceName } from './inputs.js'

const deps = { workspace: workspaceRef }

const exampleMessage = { workspace: 'research', session: 'monday', message: { role: 'user', content: 'Hello' } }
const given = [exampleWorkspace, ['workspaces.addMessage', exampleMessage]] as const

const SessionId = Type.String({ minLength: 1, description: 'Id of a session.', examples: ['monday'] })
const Message = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A message; agents write role, content and timestamp.',
  examples: [exampleMessage.message],
})

export const context = defineOperation({
  name: 'workspaces.context',
  summary: 'Get the context of an agent for a workspace',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: Type.Object({ workspace: Type.String({ description: 'Its id.' }), context: Type.String() }),
  examples: [{ title: 'Of a sample', given: [exampleWorkspace], input: { workspace: 'research' } }],
  deps,
  async run(input, { workspace }) {
    const found = await workspace.find(input.workspace)
    return { workspace: found.id, context: await workspace.buildContext(found) }
  },
})

export const sessions = defineOperation({
  name: 'workspaces.sessions',
  summary: 'List the conversations of a workspace',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: Type.Array(SessionEntrySchema),
  examples: [{ title: 'One session', given, input: { workspace: 'research' } }],
  deps,
  run: async (input, { workspace }) => workspace.sessions(await workspace.find(input.workspace)).list(),
})

export const messages = defineOperation({
  name: 'workspaces.messages',
  summary: 'List the messages of a conversation',
  description: 'Damaged lines are left out and logged.',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName, session: SessionId }, closed),
  output: Type.Array(Message),
  examples: [{ title: 'One message', given, input: { workspace: 'research', session: 'monday' } }],
  deps: { ...deps, log: tokens.logger },
  async run({ workspace: ref, session }, { workspace, log }) {
    const found = await workspace.sessions(await workspace.find(ref)).read(session)
    for (const { line, message } of found.problems) {
      log.warn(`Line ${line} of the session ${session} is damaged: ${message}`, { session, line })
    }
    return found.messages
  },
})

export const addMessage = defineOperation({
  name: 'workspaces.addMessage',
  summary: 'Append a message to a conversation of a workspace, creating it if necessary',
  access: 'write',
  input: Type.Object({ workspace: WorkspaceName, session: SessionId, message: Message }, closed),
  output: Type.Object({ session: Type.String() }),
  examples: [{ title: 'A first message', given: [exampleWorkspace], input: exampleMessage }],
  deps,
  async run({ workspace: ref, session, message }, { workspace }) {
    await workspace.sessions(await workspace.find(ref)).append(session, message)
    return { session }
  },
})
