import { coreError, type MinionsAccess, RELATION_TYPES } from '@minions/core'
import { defineOperation } from '@minions/core/operations'
import { tokens } from '@minions/core/plugin'
import { type PromptsApi, promptsRef } from '@minions/prompts'
import { type Static, Type } from 'typebox'
import { DiagramSchema } from '../diagram/diagram.js'
import type { DiagramSubset } from '../diagram/diagram-of.js'
import { exportersRef } from '../ref.js'
import { closed, given } from './inputs.js'

const deps = { exporters: exportersRef, prompts: promptsRef, client: tokens.client }

/** What to draw. Default: everything. */
const Subset = Type.Object(
  {
    ids: Type.Optional(
      Type.Array(Type.String(), { description: 'Only the minions with these ids.', examples: [['greeting']] }),
    ),
    type: Type.Optional(
      Type.String({ minLength: 1, description: 'Only minions of this type, by slug or id.', examples: ['task'] }),
    ),
    relationTypes: Type.Optional(
      Type.Array(Type.Enum(RELATION_TYPES), {
        description: 'Only relations of these types.',
        examples: [['depends_on']],
      }),
    ),
    chain: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'The versions of a prompt, by its id or title; then nothing else is drawn.',
        examples: ['Greeting'],
      }),
    ),
  },
  closed,
)

export const getDiagram = defineOperation({
  name: 'diagrams.get',
  summary: 'Get minions and the relations between them as nodes and edges',
  access: 'read',
  input: Subset,
  output: DiagramSchema,
  examples: [
    { title: 'Everything', given, input: {} },
    { title: 'The versions of a prompt', given, input: { chain: 'Greeting' } },
  ],
  deps,
  run: async (input, { exporters, prompts, client }) => exporters.diagram(await subsetOf(input, prompts, client)),
})

export const renderDiagram = defineOperation({
  name: 'diagrams.render',
  summary: 'Draw minions and the relations between them as Mermaid or Graphviz text',
  access: 'read',
  input: Type.Object(
    {
      ...Subset.properties,
      format: Type.Enum(['mermaid', 'dot'], {
        default: 'mermaid',
        description: 'The language of the text.',
        examples: ['dot'],
      }),
    },
    closed,
  ),
  output: Type.Object({ format: Type.String(), text: Type.String() }),
  examples: [{ title: 'Notes and what they lead to', given, input: { type: 'note', format: 'dot' } }],
  deps,
  async run({ format, ...input }, { exporters, prompts, client }) {
    const subset = await subsetOf(input, prompts, client)
    return { format, text: await (format === 'dot' ? exporters.toDot(subset) : exporters.toMermaid(subset)) }
  },
})

async function subsetOf(
  { ids, type, relationTypes, chain }: Static<typeof Subset>,
  prompts: PromptsApi,
  client: MinionsAccess,
): Promise<DiagramSubset> {
  if (chain !== undefined) return { chain: await prompts.resolve(chain) }
  for (const id of ids ?? []) {
    if (!(await client.get(id))) {
      throw coreError(
        'NOT_FOUND',
        `There is no minion "${id.slice(0, 100)}" to draw; find existing ones with objects.find.`,
        {
          details: { id },
        },
      )
    }
  }
  return {
    ...(ids && { ids }),
    ...(type !== undefined && { query: { type } }),
    ...(relationTypes && { relationTypes }),
  }
}
