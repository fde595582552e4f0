import type { AgentSession } from '../engine/agent-session.js'
import { changeAgent, transitionConflict } from '../engine/change-agent.js'
import type { Runtime } from '../engine/runtime.js'
import type { Lease } from '../state/records.js'
import type { AgentSnapshot } from '../state/runtime-state.js'
import { isFinal } from '../subagent/agent-state.js'
import type { Subagent } from '../subagent/subagent-schema.js'
import { wholeMillis } from '../time/millis.js'

/** Whether work can be taken over, given who held its lease last; or the process that holds it goes on by itself. */
export type Claim = { readonly stale: Lease | undefined } | { readonly heldElsewhere: Subagent }

/** How often a lease is looked at while it runs out. */
const LOOKS = 4

/**
 * Finds out whether a subagent that should run is held by anybody. A lease may be taken over when its time is up, or
 * when it was watched for its whole duration and not renewed, which holds even if the clocks of two machines differ.
 * A pause is ended first: a process that is alive notices that and goes on.
 */
export async function claimLease(runtime: Runtime, agentId: string): Promise<Claim> {
  const { state, leaseMs } = runtime
  const first = await state.lease(agentId)
  if (first === undefined || isExpired(runtime, first)) return { stale: first }
  const woken = await wake(runtime, agentId)
  for (let look = 0; look < LOOKS; look++) {
    const left = Math.min(first.expires_at - wholeMillis(runtime.clock), leaseMs / LOOKS)
    await new Promise<void>((resolve) => runtime.timers.set(Math.max(1, left), resolve))
    const lease = await state.lease(agentId)
    if (lease !== undefined && isSame(lease, first) && !isExpired(runtime, lease)) continue
    const agent = (await state.agent(agentId)) as Subagent
    const isFree = lease === undefined ? !isFinal(agent.state) : isExpired(runtime, lease)
    if (isFree) return { stale: lease }
    if (woken) return { heldElsewhere: agent }
    requireResumable(agent)
    throw runsElsewhere(agent)
  }
  return { stale: first }
}

/** Takes the lease, unless somebody else was quicker, and lets the subagent run. */
export async function takeLease(session: AgentSession, stale: Lease | undefined): Promise<Subagent> {
  const { runtime, agentId } = session
  return changeAgent(runtime, agentId, ({ agent, lease }) => {
    requireResumable(agent)
    const isFree = lease === undefined || isExpired(runtime, lease) || isSame(lease, stale)
    if (!isFree) throw runsElsewhere(agent)
    return { agent: { ...agent, state: 'running' }, lease: session.lease(), pause: null }
  })
}

/** The change that ends a pause, or calls one off that has not taken effect. */
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

function isExpired(runtime: Runtime, lease: Lease): boolean {
  return lease.expires_at <= wholeMillis(runtime.clock)
}

function isSame(lease: Lease, other: Lease | undefined): boolean {
  return lease.token === other?.token && lease.expires_at === other.expires_at
}
