import { Mutex } from '@minions/core/coordination'
import { getOwn, type JsonObject, setOwn } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import { resolveInput } from '../../skills/composition/resolve-input.js'
import type { CompositePlan, PlannedStep, StepInput } from '../../skills/composition/step.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import { pauseIfAsked } from './agent-session.js'
import type { Attempt } from './attempt.js'
import { completeParameters } from './check-skill.js'
import { clearSkill } from './clear-skill.js'
import { type CompositeState, readCompositeState, toCheckpoint } from './composite-state.js'
import { failed, succeeded } from './end-execution.js'
import { executeSkill, requireRunnable } from './execute-skill.js'
import { ExecutionFailure, finalFailure } from './failure.js'
import type { Job } from './job.js'
import { Stopped } from './stopped.js'

interface Composite {
  readonly attempt: Attempt
  readonly params: JsonObject
  /** Grows as steps begin and end, and is stored with each of them. */
  readonly state: CompositeState
  /** Concurrent steps store the state one after another, so that none overwrites another's. */
  readonly mutex: Mutex
}

/**
 * Runs the steps of a composed skill and returns their results by step id. Each step is an execution of its own, and
 * steps completed before a crash or a retry are not repeated.
 */
export async function runComposite(attempt: Attempt, plan: CompositePlan, params: JsonObject): Promise<JsonObject> {
  const composite = { attempt, params, state: readCompositeState(attempt.job.state), mutex: new Mutex() }
  for (const stage of plan) {
    const remaining = stage.filter(({ id }) => getOwn(composite.state.results, id) === undefined)
    await runStage(composite, remaining)
    await attempt.session.passGate()
  }
  const results: JsonObject = {}
  for (const { id } of plan.flat()) setOwn(results, id, getOwn(composite.state.results, id) as JsonObject)
  return results
}

/** When one step gives up, the others are stopped, and all of them have ended before the stage fails. */
async function runStage(composite: Composite, steps: readonly PlannedStep[]): Promise<void> {
  let first: { readonly error: unknown } | undefined
  const run = async (step: PlannedStep) => {
    try {
      await runStep(composite, step)
    } catch (error) {
      first ??= { error }
      composite.attempt.stopChildren(new Stopped(skillsError('CANCELLED', `The step "${step.id}" failed.`)))
    }
  }
  await Promise.all(steps.map(run))
  if (first !== undefined) throw first.error
}

async function runStep(composite: Composite, step: PlannedStep): Promise<void> {
  const { onError } = step
  const retries = onError.kind === 'retry' ? onError.retries : 0
  for (let tried = 0; ; tried++) {
    composite.attempt.requireLive()
    try {
      return await runSkill(composite, step, step.skill, step.input, step.id)
    } catch (thrown) {
      if (!(thrown instanceof ExecutionFailure)) throw thrown
      if (tried < retries && (thrown.retryable || thrown.status === 'timeout')) {
        await composite.attempt.session.sleep(composite.attempt.session.runtime.backoff(tried + 1))
      } else if (onError.kind !== 'fallback') {
        throw stepFailed(step, thrown)
      } else if ('result' in onError) {
        const { result } = onError
        return await commitStep(composite, () => setOwn(composite.state.results, step.id, result))
      } else {
        return await fallBack(composite, step, onError.skill, onError.input)
      }
    }
  }
}

async function fallBack(composite: Composite, step: PlannedStep, skill: string, input: StepInput): Promise<void> {
  try {
    await runSkill(composite, step, skill, input, `${step.id}/fallback`)
  } catch (thrown) {
    throw thrown instanceof ExecutionFailure ? stepFailed(step, thrown) : thrown
  }
}

/** Runs a skill as one execution. `name` distinguishes the step from its fallback, here and in the idempotency key. */
async function runSkill(
  composite: Composite,
  step: PlannedStep,
  skillName: string,
  input: StepInput,
  name: string,
): Promise<void> {
  const { session } = composite.attempt
  const need = await session.takeCapacity(skillName)
  try {
    const job = (await continueStep(composite, name)) ?? (await beginStep(composite, skillName, input, name))
    await runJob(composite, step, job, name)
  } finally {
    session.capacity.release(need)
  }
}

async function runJob(composite: Composite, step: PlannedStep, job: Job, name: string): Promise<void> {
  const { session } = composite.attempt
  try {
    await clearSkill(session, job)
    const result = await executeSkill(session, job)
    const execution = succeeded(job.execution, result, session.runtime.clock)
    await commitStep(composite, () => setOwn(composite.state.results, step.id, result), execution)
  } catch (thrown) {
    if (thrown instanceof ExecutionFailure) {
      const execution = failed(job.execution, thrown, session.runtime.clock)
      await commitStep(composite, () => delete composite.state.running[name], execution)
    }
    throw thrown
  }
}

/** The execution that an earlier attempt or process began and did not end. */
async function continueStep({ attempt, state }: Composite, name: string): Promise<Job | undefined> {
  const { session } = attempt
  const begun = getOwn(state.running, name)
  const execution =
    typeof begun === 'string' ? await session.runtime.state.execution(begun, session.agentId) : undefined
  if (execution === undefined || execution.status !== 'pending') return undefined
  const skill = session.runtime.registry.getSkill(execution.skill_name, execution.skill_version)
  const checkpoint = await session.runtime.state.checkpoint(execution.execution_id)
  await session.follow(execution)
  return { ...stepOf(attempt, name), skill, execution, state: checkpoint?.state as Job['state'] }
}

async function beginStep(composite: Composite, skillName: string, input: StepInput, name: string): Promise<Job> {
  const { attempt, state } = composite
  const { skill, parameters } = prepareStep(composite, skillName, input)
  const execution = attempt.session.newExecution(skill, parameters)
  await commitStep(composite, () => setOwn(state.running, name, execution.execution_id), execution)
  return { ...stepOf(attempt, name), skill, execution, state: undefined }
}

/** A step that cannot start fails like one that throws, and its policy decides; retrying would change nothing. */
function prepareStep({ attempt, params, state }: Composite, skillName: string, input: StepInput) {
  const { runtime } = attempt.session
  try {
    const skill = runtime.registry.getSkill(skillName)
    requireRunnable(runtime, skill)
    const parameters = completeParameters(skill, resolveInput(input, { params, results: state.results }))
    return { skill, parameters }
  } catch (error) {
    throw finalFailure(skillName, error)
  }
}

function stepOf(parent: Attempt, name: string) {
  return { parent, idempotencyKey: `${parent.job.idempotencyKey}/${name}` }
}

/** Stores the progress of the composed skill together with the outcome of the step's execution. */
async function commitStep(composite: Composite, change: () => void, execution?: SkillExecution): Promise<void> {
  const { attempt, state } = composite
  const ended = execution !== undefined && execution.status !== 'pending'
  await composite.mutex.run(async () => {
    attempt.requireLive()
    change()
    const checkpoint = toCheckpoint(attempt.job, state)
    attempt.job.state = checkpoint.state
    await attempt.session.commit((snapshot) => ({
      checkpoints: [checkpoint],
      ...(execution && { executions: [execution] }),
      ...(ended && { forget: [execution.execution_id], ...pauseIfAsked(snapshot) }),
    }))
  })
}

function stepFailed(step: PlannedStep, failure: ExecutionFailure): Error {
  const error = new Error(`The step "${step.id}" failed: ${failure.text}`, { cause: failure.error })
  return Object.assign(error, { retryable: failure.retryable })
}
