import { guarded, takeList } from '@minions/core/plugin'
import { fragmentText } from '../fragments/fragment-reference.js'
import { referenceText, type TemplateNode } from './ast.js'

/**
 * Prints nodes as a template that renders the same; undefined if there is none, because a brace would come directly
 * before a tag.
 */
export const printTemplate = guarded('printTemplate', printTemplateUnchecked, { checksInside: true })

function printTemplateUnchecked(nodes: readonly TemplateNode[]): string | undefined {
  try {
    return print(takeList('The nodes', nodes), false)
  } catch (error) {
    if (error === UNPRINTABLE) return undefined
    throw error
  }
}

const UNPRINTABLE = new Error('A brace comes directly before a tag.')

function print(nodes: readonly TemplateNode[], beforeTag: boolean): string {
  let output = ''
  let text = ''
  for (const node of nodes) {
    if (node.type === 'text') {
      text += node.text
      continue
    }
    output += escaped(text, true) + tags(node)
    text = ''
  }
  return output + escaped(text, beforeTag)
}

function tags(node: Exclude<TemplateNode, { type: 'text' }>): string {
  switch (node.type) {
    case 'placeholder':
      return `{{${referenceText(node.reference)}}}`
    case 'fragment':
      return `{{> ${fragmentText(node)}}}`
    case 'if':
    case 'each': {
      const subject = referenceText(node.type === 'if' ? node.condition : node.list)
      const otherwise = node.otherwise ? `{{else}}${print(node.otherwise, true)}` : ''
      return `{{#${node.type} ${subject}}}${print(node.body, true)}${otherwise}{{/${node.type}}}`
    }
  }
}

/** Backslashes directly before `{{`, or before a following tag, are doubled. */
function escaped(text: string, beforeTag: boolean): string {
  if (beforeTag && /(?:^|[^{])\{$/.test(text)) throw UNPRINTABLE
  const literal = text.replace(/(\\*)(\{{2,})/g, (run: string, slashes: string, braces: string, at: number) => {
    const pairs = '\\{{'.repeat(braces.length >> 1)
    if (braces.length % 2 === 0) return slashes + slashes + pairs
    // An odd brace must not be adjacent to those of a tag.
    const isLast = beforeTag && at + run.length === text.length
    return isLast ? `${slashes}{${pairs}` : `${slashes}${slashes}${pairs}{`
  })
  return beforeTag ? literal.replace(/\\+$/, '$&$&') : literal
}
