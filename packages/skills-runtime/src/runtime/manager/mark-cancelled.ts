import { readClock } from '@minions/core/plugin'
import { changeAgent, transitionConflict } from '../engine/change-agent.js'
import { CANCELLED_TEXT, cancelledExecution } from '../engine/end-execution.js'
import type { Runtime } from '../engine/runtime.js'
import type { AgentChange, AgentSnapshot, MaybePromise } from '../state/runtime-state.js'
import { isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import type { Launcher } from './launcher.js'

/** Stores that a subagent and its pending executions were cancelled. Throws `CONFLICT` for one that has ended. */
export function markCancelled(runtime: Runtime, launcher: Launcher, agentId: string): MaybePromise<Subagent> {
  const { clock } = runtime
  const logs = launcher.session(agentId)?.logs
  const cancel = ({ agent, pending }: AgentSnapshot): AgentChange => {
    if (isFinal(agent.state)) throw transitionConflict(agent, 'failed', ': it has ended')
    return {
      ...logs?.addTo(undefined).change,
      agent: { ...agent, state: 'failed', error: CANCELLED_TEXT, completed_at: readClock(clock) },
      executions: pending.map((each) => cancelledExecution(each, clock)),
      forget: pending.map(({ execution_id }) => execution_id),
      lease: null,
      pause: null,
      run: null,
    }
  }
  return changeAgent(runtime, agentId, cancel, { pending: true })
}
