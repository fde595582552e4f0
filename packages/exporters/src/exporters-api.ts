import { type Diagram, type DiagramOptions, type Minions, toDot, toMermaid } from '@minions/core'
import { type PromptReference, PromptsApi } from '@minions/prompts'
import { type DiagramSubset, diagramOf } from './diagram/diagram-of.js'
import type { Exporter, ExporterRegistry } from './exporter-registry.js'
import type { PromptDocument } from './json/prompt-document.js'
import type { LangChainPrompt } from './langchain/to-langchain.js'
import type { LlamaIndexPrompt } from './llamaindex/to-llamaindex.js'
import { PromptExporter } from './prompt-exporter.js'

/** What the formats give. Plugins that bring a format may add it here by declaration merging. */
export interface ExportFormats {
  raw: string
  langchain: LangChainPrompt
  llamaindex: LlamaIndexPrompt
  json: PromptDocument
  mermaid: string
  dot: string
}

/** Exports of an app: prompts in all registered formats, and pictures. */
export class ExportersApi extends PromptExporter {
  readonly #client: Minions
  readonly #registry: ExporterRegistry

  constructor(client: Minions, registry: ExporterRegistry) {
    super(client)
    this.#client = client
    this.#registry = registry
  }

  /** The same formats on another client, such as that of a transaction. */
  on(client: Minions): ExportersApi {
    return new ExportersApi(client, this.#registry)
  }

  /** Adds a format. Throws `ALREADY_REGISTERED` when it is there. */
  register(exporter: Exporter): void {
    this.#registry.register(exporter)
  }

  /** The names of all formats. */
  formats(): string[] {
    return this.#registry.formats()
  }

  /** Exports a prompt as it is published, or a version, to a format. Throws `FORMAT_UNKNOWN`, `NOT_FOUND`, or what the exporter throws. */
  export<Format extends keyof ExportFormats>(
    format: Format,
    reference: PromptReference,
    options?: Readonly<Record<string, unknown>>,
  ): Promise<ExportFormats[Format]>
  export(format: string, reference: PromptReference, options?: Readonly<Record<string, unknown>>): Promise<unknown>
  async export(
    format: string,
    reference: PromptReference,
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    const exporter = this.#registry.get(format)
    const prompt = await new PromptsApi(this.#client).get(reference)
    return exporter.export(prompt, { minions: this.#client, reference, options })
  }

  /** A part of the store as a diagram: a version chain by an id of it, a subset, or everything. */
  async diagram(subset: DiagramSubset | string = {}): Promise<Diagram> {
    return diagramOf(this.#client, typeof subset === 'string' ? { chain: subset } : subset)
  }

  /** The same as a Mermaid flowchart. */
  async toMermaid(subset?: DiagramSubset | string, options?: DiagramOptions): Promise<string> {
    return toMermaid(await this.diagram(subset), options)
  }

  /** The same in Graphviz's DOT language. */
  async toDot(subset?: DiagramSubset | string, options?: DiagramOptions): Promise<string> {
    return toDot(await this.diagram(subset), options)
  }
}
