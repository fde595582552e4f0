import type { Reference, TemplateNode } from '../template/ast.js'

/** Names that a template looks up inside `#each`, where an item's own property shadows a variable. */
export function namesInItems(nodes: readonly TemplateNode[]): Set<string> {
  const names = new Set<string>()
  collect(nodes, false, names)
  return names
}

function collect(nodes: readonly TemplateNode[], inItem: boolean, names: Set<string>): void {
  const note = (reference: Reference) => {
    if (inItem && reference.kind === 'name') names.add(reference.name)
  }
  for (const node of nodes) {
    switch (node.type) {
      case 'placeholder':
        note(node.reference)
        break
      case 'if':
        note(node.condition)
        collect(node.body, inItem, names)
        collect(node.otherwise ?? [], inItem, names)
        break
      case 'each':
        note(node.list)
        collect(node.body, true, names)
        collect(node.otherwise ?? [], inItem, names)
        break
    }
  }
}
