import type { MinionsAccess } from '@minions/core'
import { extensionPoint } from '@minions/core/plugin'
import type { PromptMinion, PromptReference, PromptsApi } from '@minions/prompts'
import type { OnLoss } from './exchange/exchange-format.js'
import type { PortablePrompt } from './exchange/portable-prompt.js'

/** What an exporter works with besides the prompt. */
export interface ExportContext {
  /** The client, inside a transaction that of the transaction. */
  readonly minions: MinionsAccess
  /** The prompts, inside a transaction those of the transaction. */
  readonly prompts: PromptsApi
  /** How the prompt or version was named. */
  readonly reference: PromptReference
  /** What the caller passed on. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A format that prompts can be exported to. */
export interface Exporter<Result = unknown> {
  readonly format: string
  export(prompt: PromptMinion, context: ExportContext): Result | Promise<Result>
  /** Reads a document of the format; absent for formats that are only written. Throws `IMPORT_INVALID`. */
  import?(document: unknown, context: ImportContext): PortablePrompt | Promise<PortablePrompt>
}

/** What an importer works with besides the document. */
export interface ImportContext {
  /** Hears of what a prompt cannot hold. Without it, what would change what a model is sent is refused. */
  readonly onLoss?: OnLoss | undefined
}

/** Extension point for formats: `contributes: [[exportFormats, [{ format: 'shout', export: … }]]]`. */
export const exportFormats = extensionPoint<Exporter>('@minions/exporters/formats', {
  key: ({ format }) => format,
  check: (value) => {
    const { format, export: run } = (value ?? {}) as Partial<Exporter>
    if (typeof format === 'string' && format !== '' && typeof run === 'function') return undefined
    return 'an exporter has a `format`, its name, and a function `export`'
  },
})
