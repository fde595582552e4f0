import { type By, coreError } from '@minions/core'
import { isRecord, type JsonObject, type JsonValue } from '@minions/core/json'
import { pluginRef } from '@minions/core/plugin'
import { inTransaction, type PromptAccess } from '../access.js'
import { loadLivePrompt } from '../chain/prompt-minion.js'
import { addTests } from '../testing/add-tests.js'
import { type PromptTestMinion, testsOf } from '../testing/prompt-test.js'
import type { TestInput } from '../testing/test-input.js'

/** Selects executions. Omitted properties do not restrict. */
export interface ExecutionFilter {
  readonly execution_id?: string | readonly string[]
  readonly agent_id?: string | readonly string[]
  readonly skill_name?: string | readonly string[]
  readonly status?: 'success' | 'failed' | readonly ('success' | 'failed')[]
  readonly started_after?: string
  readonly started_before?: string
  readonly limit?: number
}

/** The parts of an execution that are read. */
export interface Execution {
  readonly execution_id: string
  readonly skill_name: string
  readonly parameters: unknown
  readonly result: unknown
  readonly status: string
}

/** A source of executions, such as the skills plugin. */
export interface Executions {
  executions(filter: ExecutionFilter): Promise<readonly Execution[]>
}

/** The part of the skills plugin needed here; an app may work without it. */
export const executionsRef = pluginRef<Executions>()('@minions/skills-runtime', 'skills')

export interface FromExecutionsOptions extends By {
  /** Returns the test for an execution, or nothing to skip it. Default: the parameters are the variables. */
  readonly toTest?: ((execution: Execution) => TestInput | undefined) | undefined
}

export async function testsFromExecutions(
  access: PromptAccess,
  promptId: string,
  filter: ExecutionFilter,
  { toTest = testOf, ...by }: FromExecutionsOptions,
): Promise<PromptTestMinion[]> {
  const { executions: source } = access
  if (!source) {
    throw coreError(
      'VALIDATION_FAILED',
      'This app does not record executions; add the plugin of @minions/skills-runtime.',
    )
  }
  const executions = await source.executions(filter)
  const prompt = await loadLivePrompt(access, promptId)
  const id = await access.lookup.rootId(prompt)
  return inTransaction(access, async (tx) => {
    const known = new Set((await testsOf(tx, id)).map(executionIdOf))
    const inputs = executions.flatMap((execution) => {
      const input = known.has(execution.execution_id) ? undefined : toTest(execution)
      return input ? [{ ...input, extra: { source: { execution_id: execution.execution_id } } }] : []
    })
    return addTests(tx.client, { id, title: prompt.title }, inputs, by)
  })
}

function testOf({ execution_id, skill_name, parameters, result }: Execution): TestInput {
  const expected = typeof result === 'string' ? result : JSON.stringify(result ?? null)
  return {
    title: `${skill_name} ${execution_id}`,
    inputVariables: isRecord(parameters) ? (parameters as JsonObject) : { parameters: parameters as JsonValue },
    ...(expected !== 'null' && { expectedCriteria: `The answer was: ${expected.slice(0, 10_000)}` }),
  }
}

function executionIdOf({ fields }: PromptTestMinion): unknown {
  const { source } = fields as { readonly source?: unknown }
  return isRecord(source) ? source.execution_id : undefined
}
