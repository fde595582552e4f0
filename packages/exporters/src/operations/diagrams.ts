import { coreError, type MinionsAccess, RELATION_TYPES } from '@minions/core'
import { operationsWith, property } from '@minions/core/operations'
import { tokens } from '@minions/core/plugin'
import { type PromptsApi, promptsRef } from '@minions/prompts'
import { type Static, type TObject, Type } from 'typebox'
import { DiagramSchema } from '../diagram/diagram.js'
import type { DiagramSubset } from '../diagram/diagram-of.js'
import { exportersRef } from '../ref.js'
import { given } from './inputs.js'

const operation = operationsWith({ exporters: exportersRef, prompts: promptsRef, client: tokens.client })

/** What to draw. Default: everything. */
const subset = {
  ids: Type.Optional(property.list(Type.String(), 'Only the minions with these ids.', 'greeting')),
  type: Type.Optional(property.text('Only minions of this type, by slug or id.', 'task', { minLength: 1 })),
  relationTypes: Type.Optional(
    property.list(Type.Enum(RELATION_TYPES), 'Only relations of these types.', 'depends_on'),
  ),
  chain: Type.Optional(
    property.text('The versions of a prompt, by its id or title; then nothing else is drawn.', 'Greeting', {
      minLength: 1,
    }),
  ),
}

export const getDiagram = operation({
  name: 'diagrams.get',
  summary: 'Get minions and the relations between them as nodes and edges',
  access: 'read',
  input: subset,
  output: DiagramSchema,
  examples: [
    { title: 'Everything', given, input: {} },
    { title: 'The versions of a prompt', given, input: { chain: 'Greeting' } },
  ],
  run: async (input, { exporters, prompts, client }) => exporters.diagram(await subsetOf(input, prompts, client)),
})

export const renderDiagram = operation({
  name: 'diagrams.render',
  summary: 'Draw minions and the relations between them as Mermaid or Graphviz text',
  access: 'read',
  input: {
    ...subset,
    format: property.choice(['mermaid', 'dot'], 'The language of the text.', 'dot', { default: 'mermaid' }),
  },
  output: Type.Object({ format: Type.String(), text: Type.String() }),
  examples: [{ title: 'Notes and what they lead to', given, input: { type: 'note', format: 'dot' } }],
  async run({ format, ...input }, { exporters, prompts, client }) {
    const chosen = await subsetOf(input, prompts, client)
    return { format, text: await (format === 'dot' ? exporters.toDot(chosen) : exporters.toMermaid(chosen)) }
  },
})

async function subsetOf(
  { ids, type, relationTypes, chain }: Static<TObject<typeof subset>>,
  prompts: PromptsApi,
  client: MinionsAccess,
): Promise<DiagramSubset> {
  if (chain !== undefined) return { chain: await prompts.resolve(chain) }
  for (const id of ids ?? []) {
    if (!(await client.get(id))) {
      throw coreError(
        'NOT_FOUND',
        `There is no minion "${id.slice(0, 100)}" to draw; find existing ones with objects.find.`,
        { details: { id } },
      )
    }
  }
  return {
    ...(ids && { ids }),
    ...(type !== undefined && { query: { type } }),
    ...(relationTypes && { relationTypes }),
  }
}
