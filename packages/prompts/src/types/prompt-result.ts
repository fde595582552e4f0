import { defineType } from '@minions/core'

/** The outcome of running one test against one version of a prompt. */
export const promptResultType = defineType({
  id: 'minions-prompts/prompt-result',
  name: 'Prompt Result',
  slug: 'prompt-result',
  description: 'The outcome of a prompt test.',
  icon: '📊',
  schema: [
    { name: 'renderedPrompt', type: 'textarea', required: true, label: 'Prompt', description: 'The text that was run' },
    { name: 'output', type: 'textarea', label: 'Output', description: 'What the model answered' },
    { name: 'scores', type: 'json', required: true, label: 'Scores', description: 'Integers 0–100 by dimension' },
    { name: 'metadata', type: 'json', label: 'Metadata', description: 'Model, tokens, cost, latency and the like' },
    {
      name: 'passed',
      type: 'boolean',
      required: true,
      label: 'Passed',
      description: 'Whether the test counts as passed',
    },
  ],
})
