import { compileTemplate } from '@minions/prompts'
import { refuseMessages, unsupported } from '../errors.js'
import type { PromptContent } from '../prompt-content.js'

/**
 * The constructor arguments of LlamaIndex's `PromptTemplate`. Its `format` also interprets `{name}` and `$&` in values,
 * which no template can prevent: render untrusted values with `toRaw` instead.
 */
export interface LlamaIndexPrompt {
  readonly template: string
  readonly templateVars: string[]
  /** Only where literal braces need it: the value of a variable that represents one. */
  readonly options?: Readonly<Record<string, string>>
}

/** The pattern LlamaIndex uses for variables. */
const PATTERN = /{.*?}/g

type Part = { readonly literal: string } | { readonly name: string }

/**
 * A prompt for LlamaIndex, with placeholders in single braces. It cannot escape a brace, so where literal braces would
 * be taken for a variable, a variable with a fixed value replaces each opening one. Throws `EXPORT_UNSUPPORTED` for
 * blocks, and for literal text that looks like one of the prompt's own variables.
 */
export function toLlamaIndex({ fields }: PromptContent): LlamaIndexPrompt {
  refuseMessages('LlamaIndex', fields)
  const { nodes, variables } = compileTemplate<string>(fields.content)
  const parts = nodes.map((node): Part => {
    if (node.type === 'text') return { literal: node.text }
    if (node.type === 'placeholder' && node.reference.kind === 'name') return { name: node.reference.name }
    throw unsupported('LlamaIndex', 'a block', 'does not exist there')
  })
  const templateVars = [...variables]
  const template = write(parts, (text) => text)
  const placeholders = parts.flatMap((part) => ('name' in part ? [`{${part.name}}`] : []))
  const taken = template.match(PATTERN) ?? []
  if (taken.length === placeholders.length && taken.every((text, index) => text === placeholders[index])) {
    return { template, templateVars }
  }
  return withBraceVariable(parts, templateVars)
}

function withBraceVariable(parts: readonly Part[], templateVars: string[]): LlamaIndexPrompt {
  const text = parts.map((part) => ('literal' in part ? part.literal : '\n')).join('')
  const clash = templateVars.find((name) => text.includes(`{${name}}`))
  if (clash !== undefined) {
    throw unsupported('LlamaIndex', `the literal text {${clash}}`, 'would be taken for the variable of that name there')
  }
  let name = 'brace'
  while (templateVars.includes(name) || text.includes(name)) name += '_'
  const template = write(parts, (literal) => literal.replaceAll('{', `{${name}}`))
  return { template, templateVars, options: { [name]: '{' } }
}

function write(parts: readonly Part[], writeLiteral: (text: string) => string): string {
  return parts.map((part) => ('name' in part ? `{${part.name}}` : writeLiteral(part.literal))).join('')
}
