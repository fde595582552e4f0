export type { ConversationCall, ConversationMessage, OutsideTool } from '../door/conversation.js'
export type { Agents, AskOptions, OfferedAgent } from './agents.js'
export {
  type AgentBudget,
  type AgentDefinition,
  type AgentPart,
  type AgentPrompt,
  type AskAllDefinition,
  agent,
  askAll,
  type HandOverDefinition,
  handOver,
} from './definition.js'
export type { AgentInput } from './loop.js'
export { type AgentsOptions, agents, agents as plugin } from './plugin.js'
export { agentsRef } from './ref.js'
export type { AgentFinish, AgentResult } from './state.js'
