import { builtinType } from './builtin-type.js'

/** An AI agent: its identity and model settings. Layer: definition. */
export const agentType = builtinType({
  name: 'Agent',
  slug: 'agent',
  description: 'An AI agent: its role, model, prompt and tools.',
  icon: '🤖',
  schema: [
    { name: 'role', type: 'string', label: 'Role', description: 'What the agent does.' },
    { name: 'model', type: 'string', label: 'Model', description: 'The language model it uses.' },
    { name: 'systemPrompt', type: 'textarea', label: 'System prompt' },
    {
      name: 'temperature',
      type: 'number',
      label: 'Temperature',
      description: 'Sampling temperature, 0 to 2.',
      validation: { min: 0, max: 2 },
    },
    { name: 'maxTokens', type: 'number', label: 'Maximum tokens' },
    { name: 'tools', type: 'tags', label: 'Tools', description: 'Names of the tools it may use.' },
  ],
})

/** Several agents that work together. Layer: organization. */
export const teamType = builtinType({
  name: 'Team',
  slug: 'team',
  description: 'Several agents that work together.',
  icon: '👥',
  isOrganizational: true,
  schema: [
    { name: 'members', type: 'tags', label: 'Members', description: 'Identifiers of the members.' },
    { name: 'strategy', type: 'select', label: 'Strategy', options: ['round_robin', 'parallel', 'sequential'] },
    { name: 'maxConcurrency', type: 'number', label: 'Maximum concurrency' },
  ],
})

/** Something an agent knows or concluded. Layer: memory. */
export const thoughtType = builtinType({
  name: 'Thought',
  slug: 'thought',
  description: 'Something an agent knows, saw or concluded.',
  icon: '💭',
  schema: [
    { name: 'content', type: 'textarea', label: 'Content', required: true },
    {
      name: 'confidence',
      type: 'number',
      label: 'Confidence',
      description: 'How sure it is, 0 to 1.',
      validation: { min: 0, max: 1 },
    },
    { name: 'source', type: 'string', label: 'Source', description: 'Where it comes from.' },
  ],
})

/** A text with variables. Layer: interface. */
export const promptTemplateType = builtinType({
  name: 'Prompt Template',
  slug: 'prompt-template',
  description: 'A text with variables, from which a prompt is rendered.',
  icon: '💬',
  schema: [
    { name: 'template', type: 'textarea', label: 'Template', required: true },
    { name: 'variables', type: 'tags', label: 'Variables', description: 'Names of the variables in the template.' },
    { name: 'outputFormat', type: 'select', label: 'Output format', options: ['text', 'json', 'markdown'] },
  ],
})

/** An input and its expected outcome. Layer: evaluation. */
export const testCaseType = builtinType({
  name: 'Test Case',
  slug: 'test-case',
  description: 'An input, and what is expected of the output.',
  icon: '🧪',
  schema: [
    { name: 'input', type: 'json', label: 'Input', required: true },
    { name: 'expectedOutput', type: 'json', label: 'Expected output' },
    { name: 'assertions', type: 'json', label: 'Assertions' },
    { name: 'timeout', type: 'number', label: 'Timeout', description: 'In milliseconds.' },
  ],
})

/** A piece of work and how it went. Layer: execution. */
export const taskType = builtinType({
  name: 'Task',
  slug: 'task',
  description: 'A piece of work: its input, progress and outcome.',
  icon: '✅',
  schema: [
    { name: 'input', type: 'json', label: 'Input' },
    { name: 'output', type: 'json', label: 'Output' },
    {
      name: 'executionStatus',
      type: 'select',
      label: 'Execution status',
      options: ['pending', 'running', 'completed', 'failed', 'cancelled'],
    },
    { name: 'startedAt', type: 'date', label: 'Started at' },
    { name: 'completedAt', type: 'date', label: 'Completed at' },
    { name: 'error', type: 'textarea', label: 'Error', description: 'What went wrong, if it failed.' },
  ],
})
