import { exportersError } from '../errors.js'
import type { Exporter } from '../exporter.js'
import { type Lose, type Loss, type PortablePrompt, readPortable } from './portable-prompt.js'

/** A foreign format that prompts are written to and read from. */
export interface ExchangeFormat<Document> {
  readonly format: string
  write(prompt: PortablePrompt, lose: Lose): Document
  /** Throws `IMPORT_INVALID` for anything that is not a document of the format. */
  read(document: unknown, lose: Lose): PortablePrompt
  /** Messages are rendered when variables are given. */
  readonly rendersVariables?: boolean
}

/** Receives what is lost. Without it, losses that would change the model input are refused. */
export type OnLoss = (lost: readonly Loss[]) => void

/** An exchange format as a contribution to `exportFormats`. */
export function asExporter(format: ExchangeFormat<unknown>): Exporter {
  return {
    format: format.format,
    async export(_prompt, { prompts, reference, options }) {
      const { variables, onLoss } = options as { variables?: Record<string, unknown>; onLoss?: OnLoss }
      const stored = await readPortable(prompts, reference)
      const isRendered = format.rendersVariables && variables !== undefined && Object.keys(variables).length > 0
      const prompt = isRendered ? await rendered(stored, () => prompts.renderMessages(reference, variables)) : stored
      return settled(format.format, onLoss, (lose) => format.write(prompt, lose))
    },
    import: (document, { onLoss }) => settled(format.format, onLoss, (lose) => format.read(document, lose)),
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

/** Converts, and reports what was lost; without a listener, a loss that would change the model input is refused. */
function settled<T>(format: string, onLoss: OnLoss | undefined, convert: (lose: Lose) => T): T {
  const lost: Loss[] = []
  const result = convert((part, why, breaking = true) => lost.push({ part, why, breaking }))
  if (lost.length > 0) onLoss?.(lost)
  const breaking = onLoss ? [] : lost.filter((loss) => loss.breaking)
  if (breaking.length === 0) return result
  const parts = breaking.map(({ part, why }) => `${part} (${why})`).join('; ')
  throw exportersError(
    'EXPORT_UNSUPPORTED',
    `The format ${format} cannot hold ${parts}. Accept the loss with onLoss, or lossy.`,
    { details: { format, construct: breaking[0]?.part, lost } },
  )
}
