import { guarded } from '@minions/core/plugin'

/** The states of a subagent's life. */
export const AGENT_STATES = ['idle', 'running', 'paused', 'completed', 'failed'] as const

export type AgentState = (typeof AGENT_STATES)[number]

/** Allowed transitions. Completed and failed are final; cancelling leads to failed. */
export const AGENT_TRANSITIONS: Readonly<Record<AgentState, readonly AgentState[]>> = {
  idle: ['running', 'failed'],
  running: ['paused', 'completed', 'failed'],
  paused: ['running', 'failed'],
  completed: [],
  failed: [],
}

/** True if a subagent in state `from` may go to state `to`. Staying in a state is not a transition. */
export function canTransition(from: AgentState, to: AgentState): boolean {
  return Object.hasOwn(AGENT_TRANSITIONS, from) && AGENT_TRANSITIONS[from].includes(to)
}

/** The same for callers that may pass anything. */
export const guardedCanTransition = guarded('canTransition', canTransition)

/** True for a final state. */
export function isFinal(state: AgentState): boolean {
  return state === 'completed' || state === 'failed'
}
