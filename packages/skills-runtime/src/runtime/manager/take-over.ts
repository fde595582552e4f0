import { isFree, watchLease } from '@minions/core/coordination'
import type { AgentSession } from '../engine/agent-session.js'
import { changeAgent, transitionConflict } from '../engine/change-agent.js'
import type { Runtime } from '../engine/runtime.js'
import type { Lease } from '../state/records.js'
import type { AgentSnapshot } from '../state/runtime-state.js'
import { isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import type { ResumeOptions } from './run-options.js'

/** True if work can be taken over, given the last holder of its lease; otherwise that process continues on its own. */
export type Claim = { readonly stale: Lease | undefined } | { readonly heldElsewhere: Subagent }

/**
 * Determines whether another process holds a subagent that should run; with `takeOver` it is known that none does. A pause
 * is ended first: a live process notices that and continues.
 */
export async function claimLease(runtime: Runtime, agentId: string, { takeOver }: ResumeOptions): Promise<Claim> {
  const { state } = runtime
  const first = await state.lease(agentId)
  if (takeOver || first === undefined || isFree(first, runtime.clock)) return { stale: first }
  const woken = await wake(runtime, agentId)
  const { lease, free } = await watchLease(first, () => state.lease(agentId), runtime)
  const agent = (await state.agent(agentId)) as Subagent
  // An agent that has ended has no lease either.
  if (free && (lease !== undefined || !isFinal(agent.state))) return { stale: lease }
  if (woken) return { heldElsewhere: agent }
  requireResumable(agent)
  throw runsElsewhere(agent)
}

/** Continues a run. If it cannot begin here, a pause that `claimLease` has ended is restored, unless it has been taken. */
export async function orPauseAgain<T>(
  runtime: Runtime,
  before: Subagent,
  stale: Lease | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const isUnchanged = ({ agent, lease }: AgentSnapshot) =>
      before.state === 'paused' && agent.state === 'running' && isFree(lease, runtime.clock, stale)
    await changeAgent(runtime, before.agent_id, (snapshot) =>
      isUnchanged(snapshot) ? { agent: { ...snapshot.agent, state: 'paused' } } : undefined,
    )
    throw error
  }
}

/** Takes the lease, unless another process got there first, and runs the subagent. */
export async function takeLease(session: AgentSession, stale: Lease | undefined): Promise<Subagent> {
  const { runtime, agentId } = session
  return changeAgent(runtime, agentId, ({ agent, lease }) => {
    requireResumable(agent)
    if (!isFree(lease, runtime.clock, stale)) throw runsElsewhere(agent)
    return { agent: { ...agent, state: 'running' }, lease: session.lease(), pause: null }
  })
}

/** The change that ends a pause, or cancels one that has not taken effect. */
export function endPause({ agent, pause }: AgentSnapshot) {
  if (agent.state === 'paused') return { agent: { ...agent, state: 'running' as const }, pause: null }
  if (agent.state === 'running' && pause !== undefined) return { pause: null }
  throw transitionConflict(agent, 'running')
}

export function requireResumable(agent: Subagent): void {
  if (agent.state !== 'running' && agent.state !== 'paused') {
    throw transitionConflict(agent, 'running', '; only a paused or interrupted one can be resumed')
  }
}

async function wake(runtime: Runtime, agentId: string): Promise<boolean> {
  let isWoken = false
  await changeAgent(runtime, agentId, (snapshot) => {
    requireResumable(snapshot.agent)
    isWoken = snapshot.agent.state === 'paused' || snapshot.pause !== undefined
    return isWoken ? endPause(snapshot) : undefined
  })
  return isWoken
}

function runsElsewhere(agent: Subagent) {
  return transitionConflict(agent, 'running', ' once more: another process runs it')
}
