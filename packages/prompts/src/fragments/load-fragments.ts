import { coreError, nearestName } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import type { PromptAccess } from '../access.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { messagesOf } from '../chat/prompt-body.js'
import { promptsError } from '../errors.js'
import { PRODUCTION } from '../labels/label-name.js'
import { loadTemplate, resolveLabel } from '../labels/resolve-label.js'
import type { FragmentNode, TemplateNode } from '../template/ast.js'
import { compileTemplate } from '../template/compiled-template.js'
import { findVersion } from '../versions/version-reference.js'
import { fragmentText } from './fragment-reference.js'

/** A prompt included in another, at one of its versions. */
export interface UsedFragment {
  /** As written in the template. */
  readonly name: string
  readonly promptId: string
  readonly version: PromptMinion
}

/** Maximum nesting depth of fragments. */
const MAX_DEPTH = 32

/**
 * Maximum number of characters and tags that one prompt may include, so that a few fragments cannot multiply endlessly.
 */
const MAX_SIZE = 1_000_000

/** Loads the fragments of templates, each once. */
export class FragmentLoader {
  readonly used: UsedFragment[] = []
  readonly #access: PromptAccess
  readonly #nodes = new Map<string, Promise<readonly TemplateNode[]>>()
  readonly #sizes = new WeakMap<readonly TemplateNode[], number>()

  constructor(access: PromptAccess) {
    this.#access = access
  }

  /**
   * The nodes with their fragments expanded. `path` names the including prompts, outermost first; none of them may
   * occur again. Throws `FRAGMENT_UNKNOWN`, `FRAGMENT_INVALID` or `FRAGMENT_CYCLE`.
   */
  async expand(nodes: readonly TemplateNode[], path: readonly PathStep[]): Promise<readonly TemplateNode[]> {
    const expanded: TemplateNode[] = []
    let size = 0
    for (const node of nodes) {
      if (node.type === 'fragment') {
        const included = await this.#included(node, path)
        size += this.#sizeOf(included)
        if (size > MAX_SIZE) throw invalid(node, `makes the prompt larger than ${MAX_SIZE} characters`)
        expanded.push(...included)
      } else if (node.type === 'if' || node.type === 'each') {
        const body = await this.expand(node.body, path)
        const otherwise = node.otherwise && (await this.expand(node.otherwise, path))
        expanded.push({ ...node, body, ...(otherwise && { otherwise }) })
      } else expanded.push(node)
    }
    return expanded
  }

  async #included(node: FragmentNode, path: readonly PathStep[]): Promise<readonly TemplateNode[]> {
    const prompt = await this.#prompt(node)
    if (path.some(({ id }) => id === prompt.id)) throw cycle(node, path)
    if (path.length > MAX_DEPTH) throw invalid(node, `is nested deeper than ${MAX_DEPTH} fragments`)
    const key = fragmentText(node)
    return getOrInsert(this.#nodes, key, () =>
      this.#load(node, prompt.id, [...path, { id: prompt.id, name: node.name }]),
    )
  }

  async #load(node: FragmentNode, promptId: string, path: readonly PathStep[]): Promise<readonly TemplateNode[]> {
    const version = await this.#version(node, promptId)
    if (messagesOf(version)) throw invalid(node, 'is a chat prompt, which cannot be part of a text')
    this.used.push({ name: node.name, promptId, version })
    return this.expand(compileTemplate<string>(version.fields.content).nodes, path)
  }

  #sizeOf(nodes: readonly TemplateNode[]): number {
    const known = this.#sizes.get(nodes)
    if (known !== undefined) return known
    let size = 0
    for (const node of nodes) {
      if (node.type === 'text') size += node.text.length
      else if (node.type === 'if' || node.type === 'each') {
        size += this.#sizeOf(node.body) + (node.otherwise ? this.#sizeOf(node.otherwise) : 0)
      } else size += 10
    }
    this.#sizes.set(nodes, size)
    return size
  }

  async #prompt(node: FragmentNode) {
    try {
      return await loadTemplate(this.#access, node.name)
    } catch (cause) {
      if (coreError.is(cause, 'NOT_FOUND')) throw await this.#unknown(node, cause)
      if (coreError.is(cause, 'DELETED')) throw unknown(node, 'the prompt is deleted', cause)
      throw cause
    }
  }

  async #version(node: FragmentNode, promptId: string): Promise<PromptMinion> {
    const { at = PRODUCTION } = node
    try {
      if (/^v?\d+$/.test(at)) return await findVersion(this.#access, promptId, Number(at.replace('v', '')))
      return (await resolveLabel(this.#access, promptId, at)).targets[0].version
    } catch (cause) {
      if (coreError.is(cause, 'NOT_FOUND') || promptsError.is(cause, 'LABEL_UNKNOWN')) {
        throw unknown(node, `the prompt has neither a label nor a version "${at}"`, cause)
      }
      throw cause
    }
  }

  async #unknown(node: FragmentNode, cause: unknown): Promise<Error> {
    const { items } = await this.#access.client.find({ type: 'minions-prompts/prompt-template', limit: 1000 })
    const names = [...(await this.#access.lookup.names(items.map(({ id }) => id))).values()]
    const nearest = nearestName(node.name, names)
    return unknown(node, nearest === undefined ? 'there is no such prompt' : `did you mean "${nearest}"?`, cause)
  }
}

export interface PathStep {
  readonly id: string
  readonly name: string
}

function cycle(node: FragmentNode, path: readonly PathStep[]): Error {
  const names = [...path.map(({ name }) => name), node.name]
  return promptsError('FRAGMENT_CYCLE', `A prompt cannot include itself: ${names.join(' → ')}.`, {
    details: { fragment: fragmentText(node), path: names, offset: node.offset },
  })
}

function unknown(node: FragmentNode, problem: string, cause: unknown): Error {
  const fragment = fragmentText(node)
  return promptsError('FRAGMENT_UNKNOWN', `{{> ${fragment}}} cannot be included: ${problem}.`.replace('?.', '?'), {
    details: { fragment, offset: node.offset },
    cause,
  })
}

function invalid(node: FragmentNode, problem: string): Error {
  const fragment = fragmentText(node)
  return promptsError('FRAGMENT_INVALID', `{{> ${fragment}}} cannot be included: it ${problem}.`, {
    details: { fragment, offset: node.offset },
  })
}
