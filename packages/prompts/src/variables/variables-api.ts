import { type By, coreError } from '@minions/core'
import type { JsonValue } from '@minions/core/json'
import { guardMethods } from '@minions/core/plugin'
import { inTransaction, type PromptAccess } from '../access.js'
import { loadLivePrompt, loadPrompt } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { assertVariableName } from '../template/variable-name.js'
import { promptVariableType, VARIABLE_TYPES, type VariableType } from '../types/prompt-variable.js'
import { declaredVariables, variablesFor } from './declared-variables.js'
import { type PromptVariableMinion, serializeDefault } from './variable-value.js'

/** The declaration of a variable. */
export interface VariableInput {
  readonly name: string
  /** Default: `string`. */
  readonly variableType?: VariableType | undefined
  /** Whether callers must give a value. Default: true, or false if there is a default value. */
  readonly required?: boolean | undefined
  /** A value of the type, or its text: plain for strings, JSON for other types. */
  readonly defaultValue?: JsonValue | undefined
  readonly description?: string | undefined
  readonly example?: string | undefined
}

/** The declared variables of prompts. */
export class VariablesApi {
  readonly #access: PromptAccess

  constructor(access: PromptAccess) {
    this.#access = access
  }

  /** Declares a variable of a prompt, or redeclares it. Throws `VARIABLE_INVALID`. */
  async define(promptId: string, input: VariableInput, by: By = {}): Promise<PromptVariableMinion> {
    const { name, fields } = toFields(input)
    const rootId = await this.#rootId(promptId)
    return inTransaction(this.#access, async (tx) => {
      const known = (await declaredVariables(tx, [rootId])).find((variable) => variable.title === name)
      if (known) return (await tx.client.update(known.id, { fields }, by)) as PromptVariableMinion
      const variable = await tx.client.create(promptVariableType, { title: name, fields }, by)
      await tx.client.link({ sourceId: variable.id, targetId: rootId, type: 'part_of' }, by)
      return variable
    })
  }

  /** Removes the declaration of a prompt's variable. Throws `NOT_FOUND` when it is not declared. */
  async remove(promptId: string, name: string, by: By = {}): Promise<PromptVariableMinion> {
    const rootId = await this.#rootId(promptId)
    return inTransaction(this.#access, async (tx) => {
      const known = (await declaredVariables(tx, [rootId])).find((variable) => variable.title === name)
      if (known) return (await tx.client.softDelete(known.id, by)) as PromptVariableMinion
      throw coreError('NOT_FOUND', `Prompt "${promptId}" declares no variable ${JSON.stringify(name)}.`, {
        details: { id: promptId, variable: name },
      })
    })
  }

  /** The variables of a prompt in the order they were declared; a version has its prompt's and its own. */
  async list(promptOrVersionId: string): Promise<PromptVariableMinion[]> {
    const minion = await loadPrompt(this.#access, promptOrVersionId)
    return variablesFor(this.#access, minion)
  }

  async #rootId(promptId: string): Promise<string> {
    return this.#access.lookup.rootId(await loadLivePrompt(this.#access, promptId))
  }
}

guardMethods(VariablesApi)

function toFields(input: VariableInput) {
  const { name, variableType = 'string', defaultValue = null, description, example } = input
  assertVariableName(name)
  if (!VARIABLE_TYPES.includes(variableType)) {
    throw promptsError(
      'VARIABLE_INVALID',
      `Variable "${name}" has the type ${JSON.stringify(variableType)}; use one of ${VARIABLE_TYPES.join(', ')}.`,
      { details: { variable: name } },
    )
  }
  const fields = {
    variableType,
    required: input.required ?? defaultValue === null,
    description: description ?? null,
    example: example ?? null,
    defaultValue: defaultValue === null ? null : serializeDefault(name, variableType, defaultValue),
  }
  return { name, fields }
}
