import { compileTemplate } from '@minions/prompts'
import { refuseMessages, unsupported } from '../errors.js'
import type { DeclaredTypes, PromptContent } from '../prompt-content.js'
import { toMustache } from './to-mustache.js'

/** The constructor arguments of LangChain's `PromptTemplate`. */
export interface LangChainPrompt {
  readonly template: string
  readonly inputVariables: string[]
  readonly outputParser: null
  /** Mustache writes placeholders as we do, and never interprets values as templates. */
  readonly templateFormat: 'mustache'
}

/** Names reserved by LangChain, or that break its template engine. */
const REFUSED_NAMES = ['stop', 'hasOwnProperty']

/**
 * A prompt for LangChain, which renders it as we do: placeholders always (for text, numbers and booleans), blocks where
 * mustache has the same meaning. Throws `EXPORT_UNSUPPORTED` elsewhere.
 */
export function toLangChain({ fields }: PromptContent, declared: DeclaredTypes = new Map()): LangChainPrompt {
  refuseMessages('LangChain', fields)
  const { nodes, variables } = compileTemplate<string>(fields.content)
  const refused = variables.find((name) => REFUSED_NAMES.includes(name))
  if (refused !== undefined) throw unsupported('LangChain', `the variable name "${refused}"`, 'is not allowed there')
  return {
    template: toMustache(nodes, declared),
    inputVariables: [...variables],
    outputParser: null,
    templateFormat: 'mustache',
  }
}
