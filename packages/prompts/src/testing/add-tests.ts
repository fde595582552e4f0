import { type By, coreError, type MinionsAccess } from '@minions/core'
import type { JsonObject } from '@minions/core/json'
import { promptTestType } from '../types/prompt-test.js'
import type { PromptTestMinion } from './prompt-test.js'
import type { TestInput } from './test-input.js'

/** Writes tests of a prompt with their links, in the caller's transaction. `extra` is stored in addition. */
export async function addTests(
  tx: MinionsAccess,
  prompt: { readonly id: string; readonly title: string },
  inputs: readonly (TestInput & { readonly extra?: JsonObject })[],
  by: By,
): Promise<PromptTestMinion[]> {
  const minions = inputs.map(({ id, title = `Test of ${prompt.title}`, extra, ...fields }) => {
    const { inputVariables } = fields
    if (typeof inputVariables !== 'object' || inputVariables === null || Array.isArray(inputVariables)) {
      throw coreError('VALIDATION_FAILED', 'The inputVariables of a test must be an object of values by variable name.')
    }
    return { id, title, fields: { ...fields, ...extra } }
  })
  const tests = (await tx.createMany(promptTestType, minions, by)) as PromptTestMinion[]
  for (const { id } of tests) await tx.link({ sourceId: id, targetId: prompt.id, type: 'part_of' }, by)
  return tests
}
