import { extensionPoint } from '@minions/core/plugin'
import type {
  CallToolResult,
  GetPromptResult,
  InputRequiredResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/server'
import type { TaskKind, TaskStarted } from '../tasks/task.js'
import type { McpCall } from './mcp-call.js'

/** The answer of a tool: a result, a question to the person, or a task that continues. */
export type ToolAnswer = CallToolResult | InputRequiredResult | TaskStarted

/** Tools besides those created from operations. */
export interface ToolProvider {
  list(call: McpCall): readonly Tool[]
  /** The schema of the results of a tool, if it has one. */
  outputSchema?(name: string, call: McpCall): Tool['outputSchema']
  /** Calls a tool; undefined if it is not one of these. */
  call(name: string, input: Readonly<Record<string, unknown>>, call: McpCall): Promise<ToolAnswer> | undefined
}

/** One page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string | undefined
}

/** Resources of one kind. */
export interface ResourceProvider {
  list(call: McpCall, cursor: string | undefined): Promise<ListPage<Resource>>
  templates(call: McpCall): readonly ResourceTemplateType[]
  /** Reads a resource; undefined if it is not one of these. Throws `NOT_FOUND` for one of these that does not exist. */
  read(uri: string, call: McpCall): Promise<ReadResourceResult | InputRequiredResult | undefined>
  /** Values of a variable of a template that begin like this; undefined if the template is not one of these. */
  complete?(template: string, argument: string, value: string, call: McpCall): Promise<readonly string[] | undefined>
}

/** Prompts from one source. */
export interface PromptProvider {
  list(call: McpCall, cursor: string | undefined): Promise<ListPage<Prompt>>
  /** Gets a prompt; undefined if it is not one of these. */
  get(
    name: string,
    input: Readonly<Record<string, string>>,
    call: McpCall,
  ): Promise<GetPromptResult | InputRequiredResult | undefined>
  complete?(prompt: string, argument: string, value: string, call: McpCall): Promise<readonly string[] | undefined>
}

/** Features for MCP clients that operations cannot express: pictures, prompts from elsewhere, custom tasks. */
export interface McpFeatures {
  readonly tools?: ToolProvider
  readonly resources?: ResourceProvider
  readonly prompts?: PromptProvider
  readonly tasks?: TaskKind
}

/** Extension point for features of other plugins. Operations need none: they are tools already. */
export const mcpFeatures = extensionPoint<McpFeatures>('@minions/mcp/features')
