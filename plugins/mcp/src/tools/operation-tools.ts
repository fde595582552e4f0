import type { JsonValue } from '@minions/core/json'
import { getOrInsert } from '@minions/core/json'
import type { Operation } from '@minions/core/operations'
import { ProtocolError, ProtocolErrorCode, type Tool } from '@modelcontextprotocol/server'
import type { ToolAnswer, ToolProvider } from '../door/features.js'
import type { McpCall } from '../door/mcp-call.js'
import { chosenBy, DEFAULT_TOOLS, fitsPattern, type Profile } from '../door/profile.js'
import { answerSearch, CATALOGUE_TOOLS, calledOperation, catalogueTools } from './catalogue-tools.js'
import { operationName, toolOf } from './operation-tool.js'
import { answered, toolResult } from './tool-result.js'

/** The outcome of an operation: its result, or the answer of the tool instead. */
export type Ran = { readonly result: JsonValue } | { readonly answer: ToolAnswer }

/** Runs an operation for a tool, at once or as a task. */
export type RunTool = (operation: Operation, input: unknown, call: McpCall) => Promise<Ran>

/** Limits of the default list of tools. */
const DEFAULT_LIST = { tools: 25, tokens: 8000 } as const

/** Minimum number of JSON characters per token. */
const CHARACTERS_PER_TOKEN = 3

export function operationTools(profile: Profile, runTool: RunTool): ToolProvider {
  const reachable = (call: McpCall) =>
    profile.tools ? chosenBy(profile.tools, call.operations()) : [...call.operations()]
  const operationOf = (tool: string, call: McpCall) => {
    const operation = call.find(operationName(tool))
    return operation && (profile.tools?.some((pattern) => fitsPattern(pattern, operation.name)) ?? true)
      ? operation
      : undefined
  }
  const listed = (operations: readonly Operation[]) =>
    profile.tools ? operations : withinBudget(chosenBy(DEFAULT_TOOLS, operations))
  return {
    list(call) {
      const all = reachable(call)
      const shown = new Set(listed(all))
      return [...[...shown].map(toolOf), ...catalogueTools(all.filter((each) => !shown.has(each)))]
    },
    outputSchema(name, call) {
      const operation = operationOf(name, call)
      return operation && toolOf(operation).outputSchema
    },
    call(name, input, call) {
      if (name === CATALOGUE_TOOLS.search) return Promise.resolve(answerSearch(reachable(call), input))
      if (name === CATALOGUE_TOOLS.read || name === CATALOGUE_TOOLS.call) {
        return answered(async () => {
          const operation = calledOperation(reachable(call), name, input)
          const ran = await runTool(operation, input.input ?? {}, call)
          return 'answer' in ran ? ran.answer : toolResult({ result: ran.result })
        })
      }
      const operation = operationOf(name, call)
      if (!operation) return undefined
      return answered(async () => {
        const ran = await runTool(operation, input, call)
        return 'answer' in ran ? ran.answer : toolResult(ran.result)
      })
    },
  }
}

/** As many operations as fit into the list besides the tools that reach all others. */
function withinBudget(operations: readonly Operation[]): Operation[] {
  const others = catalogueTools(operations.length > 0 ? operations : [])
  let tokens = others.reduce((sum, tool) => sum + tokensOf(tool), 0)
  return operations.slice(0, DEFAULT_LIST.tools - others.length).filter((operation) => {
    const cost = tokensOf(toolOf(operation))
    if (tokens + cost > DEFAULT_LIST.tokens) return false
    tokens += cost
    return true
  })
}

const costs = new WeakMap<Tool, number>()

function tokensOf(tool: Tool): number {
  return getOrInsert(costs, tool, () => Math.ceil(JSON.stringify(tool).length / CHARACTERS_PER_TOKEN))
}

export function unknownTool(name: string): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`)
}
