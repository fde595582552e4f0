import type { MinionsAccess } from '@minions/core'
import { extensionPoint } from '@minions/core/plugin'
import type { PromptMinion, PromptReference, PromptsApi } from '@minions/prompts'
import type { OnLoss } from './exchange/exchange-format.js'
import type { PortablePrompt } from './exchange/portable-prompt.js'

/** The context of an exporter, besides the prompt. */
export interface ExportContext {
  /** The client; inside a transaction, its client. */
  readonly minions: MinionsAccess
  /** The prompts; inside a transaction, those of the transaction. */
  readonly prompts: PromptsApi
  /** The reference to the prompt or version. */
  readonly reference: PromptReference
  /** Options of the caller. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A format that prompts can be exported to. */
export interface Exporter<Result = unknown> {
  readonly format: string
  export(prompt: PromptMinion, context: ExportContext): Result | Promise<Result>
  /** Reads a document of the format; absent for formats that are only written. Throws `IMPORT_INVALID`. */
  import?(document: unknown, context: ImportContext): PortablePrompt | Promise<PortablePrompt>
}

/** The context of an importer, besides the document. */
export interface ImportContext {
  /** Receives what a prompt cannot hold. Without it, losses that would change the model input are refused. */
  readonly onLoss?: OnLoss | undefined
}

/** Extension point for formats: `contributes: [[exportFormats, [{ format: 'shout', export: … }]]]`. */
export const exportFormats = extensionPoint<Exporter>('@minions/exporters/formats', {
  key: ({ format }) => format,
  check: (value) => {
    const { format, export: run } = (value ?? {}) as Partial<Exporter>
    if (typeof format === 'string' && format !== '' && typeof run === 'function') return undefined
    return 'an exporter needs a `format`, its name, and a function `export`'
  },
})
