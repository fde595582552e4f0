import { defineOperation } from '@minions/core/operations'
import { Type } from 'typebox'
import { readHistory } from '../memory/history.js'
import { readMemory, upsertMemorySection } from '../memory/memory.js'
import { workspaceRef } from '../plugin/ref.js'
import { closed, exampleWorkspace, WorkspaceName } from './inputs.js'

const deps = { workspace: workspaceRef }

const InsightSchema = Type.Object({
  id: Type.String({ description: 'Id of the thought.' }),
  content: Type.String(),
  createdAt: Type.String(),
})

export const memory = defineOperation({
  name: 'workspaces.memory',
  summary: 'Get the memory of a workspace',
  description: 'Memory has three tiers: facts of the workspace, its history, and insights shared by all workspaces.',
  access: 'read',
  input: Type.Object({ workspace: WorkspaceName }, closed),
  output: Type.Object({
    workspace: Type.String({ description: 'Its id.' }),
    facts: Type.String({ description: 'The content of MEMORY.md; empty if there is none.' }),
    history: Type.Array(Type.String(), { description: 'The newest entries of HISTORY.md, the latest first.' }),
    insights: Type.Array(InsightSchema, { description: 'The newest insights, the latest first.' }),
  }),
  examples: [{ title: 'Of a sample', given: [exampleWorkspace], input: { workspace: 'research' } }],
  deps,
  async run(input, { workspace }) {
    const found = await workspace.find(input.workspace)
    const root = workspace.rootOf(found)
    const [facts, history, insights] = await Promise.all([
      readMemory(root),
      readHistory(root),
      workspace.insights.latest(),
    ])
    return {
      workspace: found.id,
      facts,
      history,
      insights: insights.map(({ id, fields, createdAt }) => ({ id, content: fields.content, createdAt })),
    }
  },
})

export const remember = defineOperation({
  name: 'workspaces.remember',
  summary: 'Set a section of the memory of a workspace',
  description: 'The section is added when it is missing; the rest of the memory stays as it is.',
  access: 'write',
  input: Type.Object(
    {
      workspace: WorkspaceName,
      heading: Type.String({ minLength: 1, description: 'Heading of the section.', examples: ['How we sell'] }),
      facts: Type.Array(Type.String(), {
        description: 'Its bullets, one fact per line.',
        examples: [['Call before you write.']],
      }),
    },
    closed,
  ),
  output: Type.Object({ facts: Type.String({ description: 'The whole memory.' }) }),
  examples: [
    {
      title: 'A section',
      given: [exampleWorkspace],
      input: { workspace: 'research', heading: 'How we sell', facts: ['Call before you write.'] },
    },
  ],
  deps,
  async run({ workspace: ref, heading, facts }, { workspace }) {
    const root = workspace.rootOf(await workspace.find(ref))
    await upsertMemorySection(root, heading, facts)
    return { facts: await readMemory(root) }
  },
})
