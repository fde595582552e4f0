import type { By, MinionsAccess } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { guardMethods } from '@minions/core/plugin'
import type { PromptReference, PromptsApi, PromptTemplateMinion } from '@minions/prompts'
import type { Diagram, DiagramOptions } from './diagram/diagram.js'
import { type DiagramSubset, diagramOf } from './diagram/diagram-of.js'
import { toDot } from './diagram/dot.js'
import { toMermaid } from './diagram/mermaid.js'
import { exportersError } from './errors.js'
import { createPortable } from './exchange/create-portable.js'
import type { OnLoss } from './exchange/exchange-format.js'
import type { LangfusePrompt } from './exchange/langfuse.js'
import type { Exporter } from './exporter.js'
import type { TextFile } from './files/prompt-file.js'
import { type FileChange, type PushOptions, pullFiles, pushFiles } from './files/sync-files.js'
import type { PromptDocument } from './json/prompt-document.js'
import type { LangChainPrompt } from './langchain/to-langchain.js'
import type { LlamaIndexPrompt } from './llamaindex/to-llamaindex.js'
import { PromptExporter } from './prompt-exporter.js'

/** The results of the formats. Plugins that add a format may extend it by declaration merging. */
export interface ExportFormats {
  raw: string
  langchain: LangChainPrompt
  llamaindex: LlamaIndexPrompt
  json: PromptDocument
  openai: JsonObject
  anthropic: JsonObject
  'ai-sdk': JsonObject
  promptfoo: string
  langfuse: LangfusePrompt
  dotprompt: string
  mermaid: string
  dot: string
}

export interface ImportPromptOptions extends By {
  /** Receives what a prompt cannot hold. Without it, losses that would change the model input are refused. */
  readonly onLoss?: OnLoss | undefined
  /** Name and title of the new prompt. Default: those of the document. */
  readonly name?: string | undefined
  readonly title?: string | undefined
}

/** Exports of an app: prompts in all contributed formats, and diagrams. */
export class ExportersApi extends PromptExporter {
  readonly #client: MinionsAccess
  readonly #prompts: PromptsApi
  readonly #exporters: ReadonlyMap<string, Exporter>

  constructor(client: MinionsAccess, prompts: PromptsApi, exporters: readonly Exporter[]) {
    super(client, prompts)
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

  /**
   * Exports a prompt as published, or a version, to a format. Throws `FORMAT_UNKNOWN`, `NOT_FOUND`, or what the
   * exporter throws.
   */
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
    return exporter.export(prompt, { minions: this.#client, prompts: this.#prompts, reference, options })
  }

  /**
   * Creates a prompt from a document of a format, with its variables and tests, all or nothing. Throws `FORMAT_UNKNOWN`
   * for formats that cannot be read, `IMPORT_INVALID`, and `EXPORT_UNSUPPORTED` for what a prompt cannot hold, unless
   * `onLoss` is given.
   */
  async import(
    format: string,
    document: unknown,
    { onLoss, name, title, ...by }: ImportPromptOptions = {},
  ): Promise<PromptTemplateMinion> {
    const importer = this.#exporters.get(format)
    if (!importer?.import) {
      const readable = [...this.#exporters.values()].filter((one) => one.import).map((one) => one.format)
      throw formatUnknown(format, readable)
    }
    const read = await importer.import(document, { onLoss })
    const prompt = { ...read, ...(name !== undefined && { name }), ...(title !== undefined && { title }) }
    return this.#client.transaction((tx) => createPortable(this.#prompts.on(tx), prompt, by))
  }

  /**
   * The latest versions of all prompts as Markdown files, given the existing ones. Throws `FILES_CONFLICT`. Writes
   * nothing.
   */
  async pull(files: readonly TextFile[] = []): Promise<FileChange[]> {
    return pullFiles(this.#prompts, files)
  }

  /**
   * Creates prompts and versions from new or edited Markdown files, all in one transaction. Throws `FILES_CONFLICT`
   * with both texts for files that were also changed in the store, and `IMPORT_INVALID`.
   */
  async push(files: readonly TextFile[], options: PushOptions = {}): Promise<FileChange[]> {
    return this.#client.transaction((tx) => pushFiles(this.#prompts.on(tx), files, options))
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

guardMethods(ExportersApi, { callsBack: ['export'] })

function formatUnknown(format: string, formats: readonly string[]): Error {
  return exportersError('FORMAT_UNKNOWN', `There is no format "${format}"; use one of ${formats.join(', ')}.`, {
    details: { format, formats },
  })
}
