import { operationsWith, property } from '@minions/core/operations'
import { tokens } from '@minions/core/plugin'
import { Type } from 'typebox'
import { SessionEntrySchema } from '../memory/session-store.js'
import { workspaceRef } from '../plugin/ref.js'
import { exampleWorkspace, operation, reading, WorkspaceName } from './inputs.js'

const exampleMessage = { workspace: 'research', session: 'monday', message: { role: 'user', content: 'Hello' } }
const given = [exampleWorkspace, ['workspaces.addMessage', exampleMessage]] as const

const SessionId = property.text('Id of a session.', 'monday', { minLength: 1 })
const Message = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A message; agents write role, content and timestamp.',
  examples: [exampleMessage.message],
})

export const context = operation({
  name: 'workspaces.context',
  summary: 'Get the context of an agent for a workspace',
  ...reading,
  output: Type.Object({ workspace: Type.String({ description: 'Its id.' }), context: Type.String() }),
  examples: [{ title: 'Of a sample', given: [exampleWorkspace], input: { workspace: 'research' } }],
  async run(input, { workspace }) {
    const found = await workspace.find(input.workspace)
    return { workspace: found.id, context: await workspace.buildContext(found) }
  },
})

export const sessions = operation({
  name: 'workspaces.sessions',
  summary: 'List the conversations of a workspace',
  ...reading,
  output: Type.Array(SessionEntrySchema),
  examples: [{ title: 'One session', given, input: { workspace: 'research' } }],
  run: async (input, { workspace }) => workspace.sessions(await workspace.find(input.workspace)).list(),
})

export const messages = operationsWith({ workspace: workspaceRef, log: tokens.logger })({
  name: 'workspaces.messages',
  summary: 'List the messages of a conversation',
  description: 'Damaged lines are left out and logged.',
  access: 'read',
  input: { workspace: WorkspaceName, session: SessionId },
  output: Type.Array(Message),
  examples: [{ title: 'One message', given, input: { workspace: 'research', session: 'monday' } }],
  async run({ workspace: ref, session }, { workspace, log }) {
    const found = await workspace.sessions(await workspace.find(ref)).read(session)
    for (const { line, message } of found.problems) {
      log.warn(`Line ${line} of the session ${session} is damaged: ${message}`, { session, line })
    }
    return found.messages
  },
})

export const addMessage = operation({
  name: 'workspaces.addMessage',
  summary: 'Append a message to a conversation of a workspace, creating it if necessary',
  access: 'write',
  input: { workspace: WorkspaceName, session: SessionId, message: Message },
  output: Type.Object({ session: Type.String() }),
  examples: [{ title: 'A first message', given: [exampleWorkspace], input: exampleMessage }],
  async run({ workspace: ref, session, message }, { workspace }) {
    await workspace.sessions(await workspace.find(ref)).append(session, message)
    return { session }
  },
})
