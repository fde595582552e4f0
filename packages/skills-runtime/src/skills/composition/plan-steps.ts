import { copyJson, deepFreeze, getOwn, isRecord, jsonProblem } from '@minions/core/json'
import { type Issue, issueAt } from '@minions/core/schema'
import type { CompositePlan, PlannedPolicy, PlannedStep, StepInput } from './step.js'

const MAX_STEP_RETRIES = 5

export interface Planning {
  readonly plan: CompositePlan
  readonly errors: readonly Issue[]
}

/** Normalises the steps of a composed skill and collects their problems. */
export function planSteps(steps: unknown): Planning {
  const errors: Issue[] = []
  const plan: PlannedStep[][] = []
  if (!Array.isArray(steps) || steps.length === 0) {
    errors.push(stepIssue('', 'REQUIRED', 'must be a list with at least one step'))
    return { plan, errors }
  }
  for (const [index, entry] of steps.entries()) {
    const parallel = isRecord(entry) ? getOwn(entry, 'parallel') : undefined
    if (parallel === undefined) {
      plan.push([planStep(entry, `/${index}`, errors)])
    } else if (Array.isArray(parallel) && parallel.length > 0) {
      plan.push(parallel.map((step, at) => planStep(step, `/${index}/parallel/${at}`, errors)))
    } else {
      errors.push(stepIssue(`/${index}/parallel`, 'TYPE', 'must be a list with at least one step'))
    }
  }
  return { plan, errors }
}

export function stepIssue(pointer: string, code: string, problem: string): Issue {
  return issueAt(`/steps${pointer}`, code, problem)
}

function planStep(step: unknown, at: string, errors: Issue[]): PlannedStep {
  const record = isRecord(step) ? step : {}
  if (!isRecord(step)) errors.push(stepIssue(at, 'TYPE', 'must be an object with a "skill"'))
  const skill = getOwn(record, 'skill')
  const id = getOwn(record, 'id') ?? skill
  if (typeof skill !== 'string' || skill === '') {
    errors.push(stepIssue(`${at}/skill`, 'REQUIRED', 'must be the name of a skill'))
  }
  if (typeof id === 'string' && !/^[\w-]{1,50}$/.test(id)) {
    errors.push(stepIssue(`${at}/id`, 'PATTERN', 'must be 1 to 50 letters, digits, hyphens or underscores'))
  } else if (typeof id !== 'string' && id !== undefined) {
    errors.push(stepIssue(`${at}/id`, 'TYPE', 'must be a string'))
  }
  const input = planInput(getOwn(record, 'input'), `${at}/input`, errors)
  return {
    id: typeof id === 'string' ? id : '',
    skill: typeof skill === 'string' ? skill : '',
    input,
    onError: planPolicy(getOwn(record, 'onError'), input, `${at}/onError`, errors),
  }
}

function planInput(input: unknown, at: string, errors: Issue[]): StepInput {
  if (input === undefined) return {}
  if (typeof input === 'function') return input as StepInput
  const problem = isRecord(input) ? jsonProblem(input) : { pointer: '', message: 'must be an object or a function' }
  if (problem !== undefined) {
    errors.push(stepIssue(at + problem.pointer, 'TYPE', problem.message))
    return {}
  }
  return deepFreeze(copyJson(input)) as StepInput
}

function planPolicy(policy: unknown, stepInput: StepInput, at: string, errors: Issue[]): PlannedPolicy {
  if (policy === undefined || policy === 'abort') return { kind: 'abort' }
  if (policy === 'retry') return { kind: 'retry', retries: 1 }
  if (isRecord(policy)) {
    const retries = getOwn(policy, 'retry')
    if (Number.isInteger(retries) && Number(retries) >= 1 && Number(retries) <= MAX_STEP_RETRIES) {
      return { kind: 'retry', retries: Number(retries) }
    }
    const fallback = getOwn(policy, 'fallback')
    if (typeof fallback === 'string' && fallback !== '') {
      const input = getOwn(policy, 'input')
      const planned = input === undefined ? stepInput : planInput(input, `${at}/input`, errors)
      return { kind: 'fallback', skill: fallback, input: planned }
    }
    if (isRecord(fallback)) {
      const result = planInput(fallback, `${at}/fallback`, errors)
      if (typeof result !== 'function') return { kind: 'fallback', result }
    }
  }
  const known = `"abort", "retry", { retry: 1 to ${MAX_STEP_RETRIES} } or { fallback: a skill's name or a result }`
  errors.push(stepIssue(at, 'ENUM', `must be ${known}`))
  return { kind: 'abort' }
}
