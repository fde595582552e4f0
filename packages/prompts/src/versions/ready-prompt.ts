import type { PromptAccess } from '../access.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { type Included, includeFragments } from '../fragments/include-fragments.js'
import { declaredVariables } from '../variables/declared-variables.js'
import type { PromptVariableMinion } from '../variables/variable-value.js'

/** A prompt or version with everything needed to render it. */
export interface ReadyPrompt extends Included {
  /** The variables that apply: its own, those of its prompt, and those of its fragments, in this order. */
  readonly declared: readonly PromptVariableMinion[]
}

export async function readyPrompt(access: PromptAccess, prompt: PromptMinion): Promise<ReadyPrompt> {
  const included = await includeFragments(access, prompt)
  const owners = included.fragments.flatMap(({ promptId, version }) => [promptId, version.id])
  const declared = await declaredVariables(access, [...owners, await access.lookup.rootId(prompt), prompt.id])
  return { ...included, declared }
}
