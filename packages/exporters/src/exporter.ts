import { extensionPoint, type MinionsAccess } from '@minions/core'
import type { PromptMinion, PromptReference } from '@minions/prompts'

/** What an exporter works with besides the prompt. */
export interface ExportContext {
  /** The client, inside a transaction that of the transaction. */
  readonly minions: MinionsAccess
  /** How the prompt or version was named. */
  readonly reference: PromptReference
  /** What the caller passed on. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A format that prompts can be exported to. */
export interface Exporter<Result = unknown> {
  readonly format: string
  export(prompt: PromptMinion, context: ExportContext): Result | Promise<Result>
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
