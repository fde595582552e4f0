import type { By } from '@minions/core'
import { bodyOf, isPromptName, type PromptsApi, type PromptTemplateMinion } from '@minions/prompts'
import { defined, type PortablePrompt } from './portable-prompt.js'

/** Creates a prompt with its variables and tests. Call it in a transaction. */
export async function createPortable(
  prompts: PromptsApi,
  prompt: PortablePrompt,
  by: By,
): Promise<PromptTemplateMinion> {
  const { title, name, description, tags, settings, responseSchema, variables = [], tests = [] } = prompt
  const named = name !== undefined && isPromptName(name) ? name : undefined
  const created = await prompts.create(
    { title, ...bodyOf(prompt), ...defined({ name: named, description, tags, settings, responseSchema }) },
    by,
  )
  for (const variable of variables) await prompts.variables.define(created.id, variable, by)
  for (const test of tests) await prompts.tests.create(created.id, test, by)
  return created
}
