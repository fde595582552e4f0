import { type JsonObject, jsonEqual } from '@minions/core/json'
import { type ApprovalGate, readClock } from '@minions/core/plugin'
import type { AgentSession } from './agent-session.js'
import type { Attempt } from './attempt.js'
import { completeParameters } from './check-skill.js'
import { finalFailure } from './failure.js'
import type { Job } from './job.js'
import { Stopped } from './stopped.js'

/**
 * Checks an execution against the policy of the app, which may require a person's approval. The approver may change its
 * parameters. While it waits, it holds no capacity, and the clock is stopped for the composed skill it belongs to and
 * for the subagents that wait for it. Throws an `ExecutionFailure` when it may not run.
 */
export function clearSkill(session: AgentSession, job: Job): Promise<void> | undefined {
  const { approvals, cleared } = session.runtime
  // The composed skill was approved; its steps are separate calls.
  const isCleared = job.parent === undefined && cleared.has(session.agentId)
  return approvals === undefined || isCleared ? undefined : ask(approvals, session, job)
}

async function ask(approvals: ApprovalGate, session: AgentSession, job: Job): Promise<void> {
  const { runtime, agentId, origin } = session
  const { clock } = runtime
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
  // A composed skill may have other running steps, so it keeps its capacity.
  const isWhole = job.parent === undefined
  let held: readonly Attempt[] | undefined
  let goOn: (() => Promise<void>) | undefined
  const onWaiting = (approval: string) => {
    held = [...stepsAbove(job), ...attemptsAbove(session)]
    for (const attempt of held) attempt.hold(job)
    if (isWhole) session.capacity.suspend()
    goOn ??= session.rest()
    session.logs.edit(job.execution).add(readClock(clock), 1, 'info', `It waits for approval ${approval}.`)
    void session.flushLogs()
  }
  try {
    const { arguments: approved } = await session.waitFor((signal) => approvals.clear(call, { signal, onWaiting }))
    if (held && isWhole) await session.capacity.restore(session)
    if (jsonEqual(approved, call.arguments)) return
    job.execution = { ...execution, parameters: completeParameters(skill, approved) }
    await session.commit(() => ({ executions: [job.execution] }))
  } catch (thrown) {
    if (session.stopped !== undefined) throw session.stopped
    if (thrown instanceof Stopped) throw thrown
    throw finalFailure(skill.name, thrown, job.execution)
  } finally {
    const going = goOn?.()
    if (session.stopped === undefined) await going
    for (const attempt of held ?? []) attempt.unhold(job)
  }
}

function* stepsAbove({ parent }: Job): Generator<Attempt> {
  for (let above = parent; above !== undefined; above = above.job.parent) yield above
}

/** Attempts of the subagents that wait for this one, if this process runs them. */
function* attemptsAbove({ runtime, parentId }: AgentSession): Generator<Attempt> {
  const seen = new Set<string>()
  for (let id = parentId; id !== undefined && !seen.has(id); ) {
    seen.add(id)
    const session = runtime.sessions.get(id)
    yield* session?.attempts ?? []
    id = session?.parentId
  }
}
