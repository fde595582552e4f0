import { type JsonObject, jsonEqual } from '@minions/core/json'
import { readClock } from '@minions/core/plugin'
import type { AgentSession } from './agent-session.js'
import { completeParameters } from './check-skill.js'
import { ExecutionFailure, failureOf } from './failure.js'
import type { Job } from './job.js'
import { Stopped } from './stopped.js'

/**
 * Lets an execution pass the policy of the app, and a person where that says so, before it takes capacity or time. The
 * approver may change its parameters. Throws an `ExecutionFailure` when it may not run.
 */
export async function clearSkill(session: AgentSession, job: Job): Promise<void> {
  const { runtime, agentId, origin } = session
  const { approvals, cleared, clock } = runtime
  if (approvals === undefined || cleared.has(agentId)) return
  const { skill, execution } = job
  const call = {
    kind: 'skill',
    name: skill.name,
    version: skill.version,
    arguments: execution.parameters as JsonObject,
    ...origin,
    by: origin.by ?? agentId,
    agent: agentId,
    use: execution.execution_id,
  } as const
  let held = false
  let goOn: (() => Promise<void>) | undefined
  const onWaiting = (approval: string) => {
    held = true
    for (let parent = job.parent; parent !== undefined; parent = parent.job.parent) parent.hold()
    goOn ??= session.rest()
    session.logs.edit(job.execution).add(readClock(clock), 1, 'info', `It waits for approval ${approval}.`)
    void session.flushLogs()
  }
  try {
    const { arguments: approved } = await session.waitFor((signal) => approvals.clear(call, { signal, onWaiting }))
    if (jsonEqual(approved, call.arguments)) return
    job.execution = { ...execution, parameters: completeParameters(skill, approved) }
    await session.commit(() => ({ executions: [job.execution] }))
  } catch (thrown) {
    if (session.stopped !== undefined) throw session.stopped
    if (thrown instanceof Stopped) throw thrown
    const { status, text, error } = failureOf(skill.name, thrown)
    const failure = new ExecutionFailure(status, text, error, false)
    failure.execution = job.execution
    throw failure
  } finally {
    const going = goOn?.()
    if (session.stopped === undefined) await going
    if (held) for (let parent = job.parent; parent !== undefined; parent = parent.job.parent) parent.unhold()
  }
}
