/** Areas of operations whose results come from a collection; by the beginning of the name of the collection. */
const AREAS: readonly (readonly [prefix: string, areas: readonly string[]])[] = [
  ['minions', ['objects', 'relations', 'prompts', 'diagrams', 'audit']],
  ['relations', ['relations', 'prompts', 'diagrams']],
  ['types', ['types', 'objects']],
  ['prompt_', ['prompts']],
  ['colony_', ['missions', 'artifacts', 'proposals', 'approvals']],
  ['approvals', ['approvals']],
  ['skill', ['skills', 'agents']],
  ['subagents', ['agents']],
  ['execution', ['executions']],
  ['messages', ['messages']],
  ['workspaces', ['workspaces']],
  ['server_runs', ['runs']],
  ['server_keys', ['keys']],
]

/** Areas whose results do not follow what is in the store, or are too costly to be asked for at every change. */
const STEADY = new Set(['operations', 'studio', 'store'])

const KNOWN = new Set(AREAS.flatMap(([, areas]) => areas))

/** True if a change in the collection may have changed what the operation gives; for areas of strangers, any change may. */
export function isTouched(operation: string, collection: string): boolean {
  const area = operation.slice(0, operation.indexOf('.'))
  if (!KNOWN.has(area)) return !STEADY.has(area)
  return AREAS.some(([prefix, areas]) => collection.startsWith(prefix) && areas.includes(area))
}
