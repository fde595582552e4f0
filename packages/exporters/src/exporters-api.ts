import { type Diagram, type DiagramOptions, type MinionsAccess, toDot, toMermaid } from '@minions/core'
import type { PromptReference, PromptsApi } from '@minions/prompts'
import { type DiagramSubset, diagramOf } from './diagram/diagram-of.js'
import { exportersError } from './errors.js'
import type { Exporter } from './exporter.js'
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

/** Exports of an app: prompts in all contributed formats, and pictures. */
export class ExportersApi extends PromptExporter {
  readonly #client: MinionsAccess
  readonly #prompts: PromptsApi
  readonly #exporters: ReadonlyMap<string, Exporter>

  constructor(client: MinionsAccess, prompts: PromptsApi, exporters: readonly Exporter[]) {
    super(client)
    this.#client = client
    this.#prompts = prompts
    this.#exporters = new Map(exporters.map((exporter) => [exporter.format, exporter]))
  }

  /** The same formats on the client and the prompts of a transaction. */
  on(client: MinionsAccess, prompts: PromptsApi): ExportersApi {
    return new ExportersApi(client, prompts, [...this.#exporters.values()])
  }

  /** The names of all formats, in the start order of the plugins that contributed them. */
  formats(): string[] {
    return [...this.#exporters.keys()]
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
    const exporter = this.#exporters.get(format)
    if (!exporter) throw formatUnknown(format, this.formats())
    const prompt = await this.#prompts.get(reference)
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

function formatUnknown(format: string, formats: readonly string[]): Error {
  return exportersError('FORMAT_UNKNOWN', `There is no format "${format}"; there are ${formats.join(', ')}.`, {
    details: { format, formats },
  })
}
