import { readClock } from '@minions/core/plugin'
import { notIdle } from '../engine/agent-run.js'
import { changeAgent } from '../engine/change-agent.js'
import { isUnfit } from '../engine/check-skill.js'
import type { RunStep } from '../engine/run-plan.js'
import type { Runtime } from '../engine/runtime.js'
import { subagentError } from '../subagents/error-text.js'
import type { Subagent } from '../subagents/subagent-schema.js'

/** Nothing runs when the skill is unknown or its parameters do not fit, and an idle subagent fails. */
export async function planOrFail(runtime: Runtime, agent: Subagent, plan: () => RunStep[]): Promise<RunStep[]> {
  if (agent.state !== 'idle') throw notIdle(agent)
  try {
    return plan()
  } catch (error) {
    if (isUnfit(error)) await fail(runtime, agent.agent_id, error as Error)
    throw error
  }
}

async function fail(runtime: Runtime, agentId: string, { message }: Error): Promise<void> {
  const completed_at = readClock(runtime.clock)
  await changeAgent(runtime, agentId, ({ agent }) => {
    if (agent.state !== 'idle') return undefined
    return { agent: { ...agent, state: 'failed', error: subagentError(message), completed_at } }
  })
}
