import type { MinionsAccess } from '@minions/core'
import { guardMethods } from '@minions/core/plugin'
import {
  type PromptMinion,
  type PromptReference,
  PromptRenderer,
  PromptsApi,
  type RenderOptions,
  type VariableType,
} from '@minions/prompts'
import { exportersError } from './errors.js'
import { exportDocument } from './json/export-json.js'
import { importDocument } from './json/import-json.js'
import type { PromptDocument } from './json/prompt-document.js'
import { type LangChainPrompt, toLangChain } from './langchain/to-langchain.js'
import { type LlamaIndexPrompt, toLlamaIndex } from './llamaindex/to-llamaindex.js'
import type { PromptContent } from './prompt-content.js'

type Values = Readonly<Record<string, unknown>>

export interface LangChainOptions {
  /** Types of variables, for a prompt given as a minion; those in the store are read with the prompt. */
  readonly variableTypes?: Readonly<Record<string, VariableType>>
}

/**
 * Exports prompts. A prompt given as a minion is exported synchronously; one given as the id of a prompt or version, or
 * as `{ prompt, version }`, is read with the client and exported asynchronously.
 */
export class PromptExporter {
  readonly #client: MinionsAccess | undefined
  readonly #prompts: PromptsApi | undefined

  constructor(client?: MinionsAccess, prompts = client && new PromptsApi(client)) {
    this.#client = client
    this.#prompts = prompts
  }

  /** The rendered text. By id, declared defaults are applied and values validated. */
  toRaw(prompt: PromptContent, variables?: Values, options?: RenderOptions): string
  toRaw(reference: PromptReference, variables?: Values, options?: RenderOptions): Promise<string>
  toRaw(
    prompt: PromptContent | PromptReference,
    variables: Values = {},
    options: RenderOptions = {},
  ): string | Promise<string> {
    if (isContent(prompt)) return new PromptRenderer().render(prompt.fields.content, variables, options)
    return required(this.#prompts).render(prompt, variables, options)
  }

  /**
   * The constructor arguments of LangChain's `PromptTemplate`. Throws `EXPORT_UNSUPPORTED` for blocks that mustache
   * lacks.
   */
  toLangChain(prompt: PromptContent, options?: LangChainOptions): LangChainPrompt
  toLangChain(reference: PromptReference, options?: LangChainOptions): Promise<LangChainPrompt>
  toLangChain(
    prompt: PromptContent | PromptReference,
    { variableTypes = {} }: LangChainOptions = {},
  ): LangChainPrompt | Promise<LangChainPrompt> {
    const types = new Map(Object.entries(variableTypes))
    if (isContent(prompt)) return toLangChain(prompt, types)
    return required(this.#prompts)
      .ready(prompt)
      .then(({ version, declared }) => {
        for (const { title, fields } of declared) types.set(title, fields.variableType)
        return toLangChain(version, types)
      })
  }

  /**
   * The constructor arguments of LlamaIndex's `PromptTemplate`. Throws `EXPORT_UNSUPPORTED` for blocks. LlamaIndex
   * interprets values as templates, so use `toRaw` for untrusted ones.
   */
  toLlamaIndex(prompt: PromptContent): LlamaIndexPrompt
  toLlamaIndex(reference: PromptReference): Promise<LlamaIndexPrompt>
  toLlamaIndex(prompt: PromptContent | PromptReference): LlamaIndexPrompt | Promise<LlamaIndexPrompt> {
    if (isContent(prompt)) return toLlamaIndex(prompt)
    return required(this.#prompts)
      .ready(prompt)
      .then(({ version }) => toLlamaIndex(version))
  }

  /** The prompt with its versions, variables, tests, results and all relations between them. */
  async toJSON(prompt: { readonly id: string } | string): Promise<PromptDocument> {
    return exportDocument(required(this.#client), typeof prompt === 'string' ? prompt : prompt.id)
  }

  /** Imports the output of `toJSON`, as an object or as text, all or nothing. Resolves to the prompt. */
  async importJSON(document: PromptDocument | string): Promise<PromptMinion> {
    return importDocument(required(this.#client), document)
  }
}

guardMethods(PromptExporter)

/** Throws `CLIENT_MISSING` without a client or its prompts. */
function required<T>(given: T | undefined): T {
  if (given) return given
  throw exportersError('CLIENT_MISSING', 'This exporter has no client; pass one to its constructor to use ids.')
}

function isContent(prompt: PromptContent | PromptReference): prompt is PromptContent {
  return typeof prompt !== 'string' && 'fields' in prompt
}
