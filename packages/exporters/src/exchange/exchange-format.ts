import { exportersError } from '../errors.js'
import type { Exporter } from '../exporter.js'
import { type Loss, type PortablePrompt, readPortable } from './portable-prompt.js'

/** A foreign format that prompts are written to and read from. */
export interface ExchangeFormat<Document> {
  readonly format: string
  write(prompt: PortablePrompt): { readonly document: Document; readonly lost: readonly Loss[] }
  /** Throws `IMPORT_INVALID` for anything that is not a document of the format. */
  read(document: unknown): { readonly prompt: PortablePrompt; readonly lost: readonly Loss[] }
  /** Messages are rendered when variables are given. */
  readonly rendersVariables?: boolean
}

/** Receives what is lost. Without it, losses that would change the model input are refused. */
export type OnLoss = (lost: readonly Loss[]) => void

/** An exchange format as a contribution to `exportFormats`. */
export function asExporter<Document>(format: ExchangeFormat<Document>): Exporter<Document> {
  return {
    format: format.format,
    async export(_prompt, { prompts, reference, options }) {
      const { variables, onLoss } = options as { variables?: Record<string, unknown>; onLoss?: OnLoss }
      const stored = await readPortable(prompts, reference)
      const isRendered = format.rendersVariables && variables !== undefined && Object.keys(variables).length > 0
      const prompt = isRendered ? await rendered(stored, () => prompts.renderMessages(reference, variables)) : stored
      const { document, lost } = format.write(prompt)
      settle(format.format, lost, onLoss)
      return document
    },
    import(document, { onLoss }) {
      const { prompt, lost } = format.read(document)
      settle(format.format, lost, onLoss)
      return prompt
    },
  }
}

async function rendered(
  prompt: PortablePrompt,
  render: () => Promise<readonly { role: string; content: unknown }[]>,
): Promise<PortablePrompt> {
  const messages = (await render()).map(({ role, content }) => ({ role, content }))
  // Roles and contents given for a placeholder are passed through unchanged.
  return { ...prompt, content: undefined, messages: messages as NonNullable<PortablePrompt['messages']> }
}

function settle(format: string, lost: readonly Loss[], onLoss: OnLoss | undefined): void {
  if (onLoss) {
    if (lost.length > 0) onLoss(lost)
    return
  }
  const breaking = lost.filter((loss) => loss.breaking)
  if (breaking.length === 0) return
  const parts = breaking.map(({ part, why }) => `${part} (${why})`).join('; ')
  throw exportersError(
    'EXPORT_UNSUPPORTED',
    `The format ${format} cannot hold ${parts}. Accept the loss with onLoss, or lossy.`,
    {
      details: { format, construct: breaking[0]?.part, lost },
    },
  )
}
