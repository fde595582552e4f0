import type { Reference, TemplateNode } from './ast.js'

/**
 * The names a caller supplies at the top level, in order of first use: placeholders, conditions and lists. Names inside
 * an `#each` body belong to its items and are left out.
 */
export function variablesOf(nodes: readonly TemplateNode[]): readonly string[] {
  const names = new Set<string>()
  collect(nodes, names)
  return [...names]
}

function collect(nodes: readonly TemplateNode[], names: Set<string>): void {
  for (const node of nodes) {
    switch (node.type) {
      case 'text':
      case 'fragment':
        break
      case 'placeholder':
        add(node.reference, names)
        break
      case 'if':
        add(node.condition, names)
        collect(node.body, names)
        collect(node.otherwise ?? [], names)
        break
      case 'each':
        add(node.list, names)
        collect(node.otherwise ?? [], names)
        break
    }
  }
}

function add(reference: Reference, names: Set<string>): void {
  if (reference.kind === 'name') names.add(reference.name)
}
