import type { FragmentReference } from '../fragments/fragment-reference.js'

/** The target of a tag: a variable, the current item of `#each`, a property of it, or its position. */
export type Reference =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'this' }
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'index' }

export interface TextNode {
  readonly type: 'text'
  readonly text: string
}

export interface PlaceholderNode {
  readonly type: 'placeholder'
  readonly reference: Reference
  /** The tag as written, which lenient rendering leaves in place. */
  readonly raw: string
}

export interface IfNode {
  readonly type: 'if'
  readonly condition: Reference
  readonly body: readonly TemplateNode[]
  /** Absent when the block has no `{{else}}`. */
  readonly otherwise?: readonly TemplateNode[]
}

export interface EachNode {
  readonly type: 'each'
  readonly list: Reference
  readonly body: readonly TemplateNode[]
  /** Shown when the list is empty; absent when the block has no `{{else}}`. */
  readonly otherwise?: readonly TemplateNode[]
}

/** A prompt included here. */
export interface FragmentNode extends FragmentReference {
  readonly type: 'fragment'
  /** Position of its tag. */
  readonly offset: number
}

export type TemplateNode = TextNode | PlaceholderNode | IfNode | EachNode | FragmentNode

/** Visits all nodes in order, those in blocks too; `inItem` is true in the body of an `#each`. */
export function visitNodes(
  nodes: readonly TemplateNode[],
  visit: (node: TemplateNode, inItem: boolean) => void,
  inItem = false,
): void {
  for (const node of nodes) {
    visit(node, inItem)
    if (node.type !== 'if' && node.type !== 'each') continue
    visitNodes(node.body, visit, inItem || node.type === 'each')
    if (node.otherwise) visitNodes(node.otherwise, visit, inItem)
  }
}

/** A reference as written inside a tag. */
export function referenceText(reference: Reference): string {
  switch (reference.kind) {
    case 'name':
      return reference.name
    case 'this':
      return 'this'
    case 'property':
      return `this.${reference.name}`
    case 'index':
      return '@index'
  }
}
