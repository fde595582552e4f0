import { takeList } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import type { RenderedMessage } from '../chat/message.js'
import { messagesOf } from '../chat/prompt-body.js'
import { renderMessages } from '../chat/render-messages.js'
import { compileTemplate, type RenderOptions } from '../template/compiled-template.js'
import { applyVariables } from '../variables/apply-variables.js'
import { type ReadyPrompt, readyPrompt } from './ready-prompt.js'
import { loadReference, type PromptReference } from './version-reference.js'

type Values = Readonly<Record<string, unknown>>

/** Reads a prompt or version with everything needed to render it. */
export async function loadReady(access: PromptAccess, reference: PromptReference): Promise<ReadyPrompt> {
  return readyPrompt(access, await loadReference(access, reference))
}

/** Renders a prompt; a chat prompt as one text. */
export function renderWith(ready: ReadyPrompt, given: Values, options: RenderOptions = {}): string {
  const { values, renderOptions } = prepared(ready, given, options)
  return compileTemplate<string>(ready.version.fields.content).render(values, renderOptions)
}

/** Renders the messages of a prompt; a text becomes one user message. */
export function renderMessagesWith(ready: ReadyPrompt, given: Values, options: RenderOptions = {}): RenderedMessage[] {
  const { values, renderOptions } = prepared(ready, given, options)
  const messages = messagesOf(ready.version) ?? [{ role: 'user' as const, content: ready.version.fields.content }]
  return renderMessages(messages, values, renderOptions)
}

function prepared({ declared }: ReadyPrompt, given: Values, options: RenderOptions) {
  const { values, requiredVariables } = applyVariables(declared, given)
  const required = new Set([
    ...requiredVariables,
    ...takeList('The required variables', options.requiredVariables ?? []),
  ])
  return { values, renderOptions: { ...options, requiredVariables: [...required] } }
}
