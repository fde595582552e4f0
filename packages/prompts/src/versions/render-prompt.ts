import type { MinionsAccess } from '@minions/core'
import { findRootId } from '../chain/find-root.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { compileTemplate, type RenderOptions } from '../template/compiled-template.js'
import { applyVariables } from '../variables/apply-variables.js'
import { declaredVariables } from '../variables/declared-variables.js'
import type { PromptVariableMinion } from '../variables/variable-value.js'
import { loadReference, type PromptReference } from './version-reference.js'

type Values = Readonly<Record<string, unknown>>

/** Renders a prompt or version, with the declarations of its prompt. */
export async function renderPrompt(
  client: MinionsAccess,
  reference: PromptReference,
  values: Values,
  options: RenderOptions,
): Promise<string> {
  const prompt = await loadReference(client, reference)
  return renderWith(prompt, await variablesFor(client, prompt), values, options)
}

/** The declarations that apply to a prompt or version. */
export async function variablesFor(client: MinionsAccess, prompt: PromptMinion): Promise<PromptVariableMinion[]> {
  return declaredVariables(client, [await findRootId(client, prompt), prompt.id])
}

/** Renders a prompt whose declarations are at hand. */
export function renderWith(
  prompt: PromptMinion,
  declared: readonly PromptVariableMinion[],
  given: Values,
  options: RenderOptions = {},
): string {
  const { values, requiredVariables } = applyVariables(declared, given)
  const required = new Set([...requiredVariables, ...(options.requiredVariables ?? [])])
  return compileTemplate<string>(prompt.fields.content).render(values, { ...options, requiredVariables: [...required] })
}
