import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { readHistory } from '../memory/history.js'
import { readMemory, upsertMemorySection } from '../memory/memory.js'
import { exampleWorkspace, operation, reading, WorkspaceName } from './inputs.js'

const InsightSchema = Type.Object({
  id: Type.String({ description: 'Id of the thought.' }),
  content: Type.String(),
  createdAt: Type.String(),
})

export const memory = operation({
  name: 'workspaces.memory',
  summary: 'Get the memory of a workspace',
  description: 'Memory has three tiers: facts of the workspace, its history, and insights shared by all workspaces.',
  ...reading,
  output: Type.Object({
    workspace: Type.String({ description: 'Its id.' }),
    facts: Type.String({ description: 'The content of MEMORY.md; empty if there is none.' }),
    history: Type.Array(Type.String(), { description: 'The newest entries of HISTORY.md, the latest first.' }),
    insights: Type.Array(InsightSchema, { description: 'The newest insights, the latest first.' }),
  }),
  examples: [{ title: 'Of a sample', given: [exampleWorkspace], input: { workspace: 'research' } }],
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

export const remember = operation({
  name: 'workspaces.remember',
  summary: 'Set a section of the memory of a workspace',
  description: 'The section is added when it is missing; the rest of the memory stays as it is.',
  access: 'write',
  input: {
    workspace: WorkspaceName,
    heading: property.text('Heading of the section.', 'How we sell', { minLength: 1 }),
    facts: property.list(Type.String(), 'Its bullets, one fact per line.', 'Call before you write.'),
  },
  output: Type.Object({ facts: Type.String({ description: 'The whole memory.' }) }),
  examples: [
    {
      title: 'A section',
      given: [exampleWorkspace],
      input: { workspace: 'research', heading: 'How we sell', facts: ['Call before you write.'] },
    },
  ],
  async run({ workspace: ref, heading, facts }, { workspace }) {
    const root = workspace.rootOf(await workspace.find(ref))
    await upsertMemorySection(root, heading, facts)
    return { facts: await readMemory(root) }
  },
})
