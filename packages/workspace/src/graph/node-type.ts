/** The kind of a node; the values are those of the file. */
export const NodeType = {
  AGENT: 'agent',
  TASK: 'task',
  WORKFLOW: 'workflow',
  KNOWLEDGE: 'knowledge',
  CUSTOM: 'custom',
} as const

export type NodeType = (typeof NodeType)[keyof typeof NodeType]
