import { type Reference, type TemplateNode, visitNodes } from './ast.js'

/**
 * The names a caller supplies at the top level, in order of first use: placeholders, conditions and lists. Names inside
 * an `#each` body belong to its items and are left out.
 */
export function variablesOf(nodes: readonly TemplateNode[]): readonly string[] {
  return [...namesUsed(nodes, false)]
}

/** Names that a template looks up inside `#each`, where an item's own property shadows a variable. */
export function namesInItems(nodes: readonly TemplateNode[]): Set<string> {
  return namesUsed(nodes, true)
}

function namesUsed(nodes: readonly TemplateNode[], inItems: boolean): Set<string> {
  const names = new Set<string>()
  visitNodes(nodes, (node, inItem) => {
    const reference = inItem === inItems ? referenceOf(node) : undefined
    if (reference?.kind === 'name') names.add(reference.name)
  })
  return names
}

function referenceOf(node: TemplateNode): Reference | undefined {
  if (node.type === 'placeholder') return node.reference
  if (node.type === 'if') return node.condition
  return node.type === 'each' ? node.list : undefined
}
