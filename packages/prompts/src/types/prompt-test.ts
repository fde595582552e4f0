import { defineType } from '@minions/core'

/** A test case of a prompt: the variables to render it with, and the expected answer. */
export const promptTestType = defineType({
  id: 'minions-prompts/prompt-test',
  name: 'Prompt Test',
  slug: 'prompt-test',
  description: 'Input and expectations to test a prompt with.',
  icon: '🧪',
  schema: [
    { name: 'inputVariables', type: 'json', required: true, label: 'Input', description: 'Values by variable name' },
    { name: 'expectedCriteria', type: 'textarea', label: 'Criteria', description: 'What a good answer does' },
    { name: 'scoringDimensions', type: 'tags', label: 'Dimensions', description: 'What is scored, such as relevance' },
  ],
})
