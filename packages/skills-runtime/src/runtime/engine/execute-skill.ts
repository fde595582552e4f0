import { cloneJson, type JsonObject } from '@minions/core/json'
import { readClock } from '@minions/core/plugin'
import { skillsError } from '../../errors.js'
import type { RegisteredSkill } from '../../skills/registry/skill-registry.js'
import type { MaybePromise } from '../state/runtime-state.js'
import type { AgentSession } from './agent-session.js'
import { Attempt } from './attempt.js'
import { AttemptContext } from './attempt-context.js'
import { checkResult } from './check-skill.js'
import { runComposite } from './composite.js'
import { failureOf } from './failure.js'
import type { Job } from './job.js'
import type { Runtime } from './runtime.js'
import type { SkillRunner } from './skill-runner.js'
import { Stopped } from './stopped.js'

/**
 * Runs an execution to its end, in as many attempts as needed, and returns its checked result, synchronously if the
 * code is. Throws an `ExecutionFailure`, or `Stopped` when it was ended from outside. Only retries are recorded here.
 */
export function executeSkill(session: AgentSession, job: Job): MaybePromise<JsonObject> {
  session.throwIfStopped()
  try {
    const result = attemptOnce(session, job)
    return result instanceof Promise ? result.catch((thrown: unknown) => tryAgain(session, job, thrown)) : result
  } catch (thrown) {
    return tryAgain(session, job, thrown)
  }
}

async function tryAgain(session: AgentSession, job: Job, thrown: unknown): Promise<JsonObject> {
  if (session.stopped !== undefined) throw session.stopped
  if (thrown instanceof Stopped) throw thrown
  await retryOrThrow(session, job, thrown)
  return executeSkill(session, job)
}

/** Resolves when it is time for another attempt; throws an `ExecutionFailure` if there is none. */
export async function retryOrThrow(session: AgentSession, job: Job, thrown: unknown): Promise<void> {
  const failure = failureOf(job.skill.name, thrown)
  failure.execution = job.execution
  const retries = (job.parent === undefined ? session.settings.maxRetries : undefined) ?? job.skill.max_retries
  if (!failure.retryable || job.execution.retry_count >= retries) throw failure
  await retry(session, job, failure.text)
}

/** Checks that a runner can run the skill. Throws `SKILL_NOT_BOUND` or `ISOLATION_MISSING`. */
export function requireRunnable(runtime: Runtime, skill: RegisteredSkill): void {
  if (skill.steps !== undefined) return
  if (skill.execute === undefined && skill.module === undefined) {
    const message = `Only the record of the skill "${skill.name}" ${skill.version} is known; register its code first.`
    throw skillsError('SKILL_NOT_BOUND', message, { details: { name: skill.name, version: skill.version } })
  }
  runnerOf(runtime, skill)
}

function attemptOnce(session: AgentSession, job: Job): MaybePromise<JsonObject> {
  const { skill, execution } = job
  const attempt = new Attempt(session, job)
  if (job.parent === undefined) delete job.commitWork
  const params = cloneJson(execution.parameters)
  const check = (returned: unknown) => checkResult(skill, returned)
  if (skill.steps !== undefined) {
    const plan = skill.steps
    return attempt.run(() => runComposite(attempt, plan, params as JsonObject), check)
  }
  const runner = runnerOf(session.runtime, skill)
  return attempt.run(() => runner.run(skill, params, new AttemptContext(attempt), attempt), check)
}

async function retry(session: AgentSession, job: Job, why: string): Promise<void> {
  const at = readClock(session.runtime.clock)
  const attempt = job.execution.retry_count + 1
  session.logs.edit(job.execution).add(at, attempt, 'warn', `The attempt failed and is repeated: ${why}`)
  const execution = { ...job.execution, retry_count: job.execution.retry_count + 1 }
  await session.commit(() => ({ executions: [execution] }))
  job.execution = execution
  await session.sleep(session.runtime.backoff(execution.retry_count))
}

function runnerOf(runtime: Runtime, skill: RegisteredSkill): SkillRunner {
  const isolation = skill.isolation ?? 'inline'
  const runner = runtime.runners.get(isolation)
  if (runner !== undefined) return runner
  const message = `Nothing here can run the skill "${skill.name}" with isolation "${isolation}".`
  throw skillsError('ISOLATION_MISSING', message, { details: { name: skill.name, isolation } })
}
