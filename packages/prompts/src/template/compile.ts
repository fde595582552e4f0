import { fragmentText } from '../fragments/fragment-reference.js'
import {
  type EachNode,
  type FragmentNode,
  type IfNode,
  type PlaceholderNode,
  referenceText,
  type TemplateNode,
} from './ast.js'
import { RendererError } from './renderer-error.js'
import { resolveReference, type Scope } from './scope.js'
import { isTruthy, toText } from './values.js'

/** State collected during one rendering. */
export interface Run {
  readonly strict: boolean
  missing: Set<string> | undefined
}

/**
 * A compiled part of a template. Plain closures without generated code, so it works under a strict content security
 * policy.
 */
export type Step = (scope: Scope, run: Run) => string

/** Compiles nodes into one step. Recursion is bounded by the depth the parser allows. */
export function compileNodes(nodes: readonly TemplateNode[]): Step {
  const { parts, tail } = withLeadingText(nodes)
  if (parts.length === 0) return () => tail
  return (scope, run) => {
    let output = ''
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index] as Part
      output += part.before + part.step(scope, run)
    }
    return output + tail
  }
}

interface Part {
  /** The preceding text; joining it here saves a call. */
  readonly before: string
  readonly step: Step
}

function withLeadingText(nodes: readonly TemplateNode[]): { parts: readonly Part[]; tail: string } {
  const parts: Part[] = []
  let tail = ''
  for (const node of nodes) {
    if (node.type === 'text') {
      tail += node.text
    } else {
      parts.push({ before: tail, step: compileNode(node) })
      tail = ''
    }
  }
  return { parts, tail }
}

function compileNode(node: PlaceholderNode | IfNode | EachNode | FragmentNode): Step {
  switch (node.type) {
    case 'placeholder':
      return compilePlaceholder(node)
    case 'if':
      return compileIf(node)
    case 'each':
      return compileEach(node)
    case 'fragment':
      return () => {
        throw new RendererError(
          'VARIABLE_INVALID',
          `{{> ${fragmentText(node)}}} includes another prompt, which only a store can find: render with app.prompts.render.`,
        )
      }
  }
}

function compilePlaceholder({ reference, raw }: PlaceholderNode): Step {
  const name = referenceText(reference)
  return (scope, run) => {
    const value = resolveReference(reference, scope)
    if (typeof value === 'string') return value
    if (value !== undefined) return toText(value, name)
    if (!run.strict) return raw
    run.missing ??= new Set()
    run.missing.add(name)
    return ''
  }
}

function compileIf({ condition, body, otherwise }: IfNode): Step {
  const whenTrue = compileNodes(body)
  const whenFalse = compileNodes(otherwise ?? [])
  return (scope, run) => (isTruthy(resolveReference(condition, scope)) ? whenTrue(scope, run) : whenFalse(scope, run))
}

/** Only a list is iterated; any other value counts as an empty one. */
function compileEach({ list, body, otherwise }: EachNode): Step {
  const step = compileNodes(body)
  const whenEmpty = compileNodes(otherwise ?? [])
  return (scope, run) => {
    const items = resolveReference(list, scope)
    if (!Array.isArray(items) || items.length === 0) return whenEmpty(scope, run)
    let output = ''
    for (let index = 0; index < items.length; index++) {
      output += step({ item: items[index], index, outer: scope }, run)
    }
    return output
  }
}
