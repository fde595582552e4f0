import { isMinionsError, messageOf } from '@minions/core'
import { isRecord, type JsonObject } from '@minions/core/json'
import { compileSchema, describeIssues } from '@minions/core/schema'
import { workspaceError } from '../errors.js'

/** The description of a tool for a model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the parameters. */
  readonly parameters: Readonly<Record<string, unknown>>
}

/** An action of an agent that its model can request. */
export interface AgentTool extends Omit<ToolDefinition, 'parameters'> {
  /** Schema of the parameters: JSON Schema, TypeBox, or a Standard Schema that has a JSON Schema. */
  readonly parameters: object
  /** Returns the result for the model: a string, or a value that is written as JSON. */
  readonly run: (parameters: JsonObject, options: { readonly signal?: AbortSignal }) => unknown
}

/** A request by a model: the name of a tool, and its parameters as an object or as JSON. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string | JsonObject
}

/** Runs a tool requested by a model. Errors are reported to the model, unless the run was cancelled. */
export async function callTool(
  tools: readonly AgentTool[],
  call: ToolCall,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    const tool = tools.find(({ name }) => name === call.name)
    if (tool === undefined) {
      throw workspaceError('NOT_FOUND', `There is no tool ${JSON.stringify(call.name)}. Use one that is listed.`)
    }
    const result = await tool.run(parametersOf(tool, call), signal ? { signal } : {})
    return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
  } catch (error) {
    signal?.throwIfAborted()
    const code = isMinionsError(error) ? { code: error.code } : {}
    return JSON.stringify({ error: { ...code, message: messageOf(error) } })
  }
}

function parametersOf({ name, parameters: schema }: AgentTool, call: ToolCall): JsonObject {
  const given = typeof call.arguments === 'string' ? JSON.parse(call.arguments || '{}') : call.arguments
  const compiled = compileSchema(schema)
  const parameters = compiled.complete(given)
  const issues = compiled.issues(parameters)
  if (isRecord(parameters) && issues.length === 0) return parameters as JsonObject
  const problems = describeIssues(issues, 'the whole value')
  throw workspaceError('VALIDATION_FAILED', `The parameters of ${name} are not valid: ${problems || 'not an object'}.`)
}
