import { createToken, type Minions } from '@minions/core'
import type { PromptMinion, PromptReference } from '@minions/prompts'
import { exportersError } from './errors.js'

/** What an exporter works with besides the prompt. */
export interface ExportContext {
  /** The client, inside a transaction that of the transaction. */
  readonly minions: Minions
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

/** The formats that are known. */
export class ExporterRegistry {
  readonly #exporters = new Map<string, Exporter>()

  /** Adds a format. Throws `ALREADY_REGISTERED` when it is there, `VALIDATION_FAILED` when it is no exporter. */
  register(exporter: Exporter): void {
    const { format } = exporter
    if (typeof format !== 'string' || format === '' || typeof exporter.export !== 'function') {
      throw exportersError('VALIDATION_FAILED', 'An exporter has a `format`, its name, and a function `export`.')
    }
    if (this.#exporters.has(format)) {
      throw exportersError('ALREADY_REGISTERED', `There is already an exporter for "${format}".`, {
        details: { format },
      })
    }
    this.#exporters.set(format, exporter)
  }

  /** The exporter of a format. Throws `FORMAT_UNKNOWN`. */
  get(format: string): Exporter {
    const exporter = this.#exporters.get(format)
    if (exporter) return exporter
    const formats = this.formats()
    throw exportersError('FORMAT_UNKNOWN', `There is no format "${format}"; there are ${formats.join(', ')}.`, {
      details: { format, formats },
    })
  }

  /** The names of all formats, in the order they were added. */
  formats(): string[] {
    return [...this.#exporters.keys()]
  }
}

/** The registry of an app, for plugins that bring a format. */
export const exporterRegistryToken = createToken<ExporterRegistry>('@minions/exporters/registry')
