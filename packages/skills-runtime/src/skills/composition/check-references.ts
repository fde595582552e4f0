import { getOwn, isRecord } from '@minions/core/json'
import type { Issue } from '@minions/core/schema'
import { stepIssue } from './plan-steps.js'
import { isReservedRoot, parseTemplate, type Reference, textsIn } from './reference.js'
import type { CompositePlan, PlannedStep, StepInput } from './step.js'

/** Schemas of the values that a plan refers to; unknown ones are not checked. */
export interface KnownSchemas {
  readonly params?: unknown
  /** The `returns_schema` of a skill. */
  readonly returns?: (skill: string) => unknown
}

/**
 * Checks every reference of a plan before it runs: the step must exist and come earlier, and where a schema allows no
 * other properties, the property must be one of them.
 */
export function checkReferences(plan: CompositePlan, known: KnownSchemas = {}): Issue[] {
  const errors: Issue[] = []
  const all = new Map(plan.flat().map((step) => [step.id, step]))
  const earlier = new Map<string, PlannedStep>()
  const seen = new Set<string>()
  for (const stage of plan) {
    for (const step of stage) {
      errors.push(...idIssues(step, seen))
      seen.add(step.id)
      const inputs = 'input' in step.onError ? [step.input, step.onError.input] : [step.input]
      for (const reference of inputs.flatMap(referencesIn)) {
        const problem =
          'problem' in reference ? reference.problem : referenceProblem(reference, step, earlier, all, known)
        if (problem) errors.push(stepIssue('', 'REFERENCE', `of "${step.id}": ${reference.text} ${problem}`))
      }
    }
    for (const step of stage) earlier.set(step.id, step)
  }
  return errors
}

function idIssues({ id }: PlannedStep, seen: ReadonlySet<string>): Issue[] {
  if (id === '') return []
  if (isReservedRoot(id))
    return [stepIssue('', 'RESERVED', `may not contain a step called "${id}"; give it another id`)]
  if (seen.has(id)) return [stepIssue('', 'UNIQUE', `contains two steps called "${id}"; give one of them an id`)]
  return []
}

function referencesIn(input: StepInput) {
  if (typeof input === 'function') return []
  return [...textsIn(input)].flatMap(parseTemplate).filter((part) => typeof part !== 'string')
}

function referenceProblem(
  { root, path }: Reference,
  step: PlannedStep,
  earlier: ReadonlyMap<string, PlannedStep>,
  all: ReadonlyMap<string, PlannedStep>,
  known: KnownSchemas,
): string | undefined {
  if (root === 'params') {
    return allows(known.params, path) ? undefined : 'names a parameter that "parameters_schema" does not allow'
  }
  if (root === step.id) return 'refers to its own step in a cycle'
  const source = earlier.get(root)
  if (source !== undefined) {
    // A fallback may return another shape, so only a step without one is checked against its skill's schema.
    if (source.onError.kind === 'fallback') return undefined
    return allows(known.returns?.(source.skill), path)
      ? undefined
      : `is not in the "returns_schema" of "${source.skill}"`
  }
  return all.has(root)
    ? `refers to "${root}", which does not run before "${step.id}"`
    : `refers to an unknown step "${root}"`
}

/** False only if a schema certainly has no such value: its properties are closed and do not include it. */
function allows(schema: unknown, path: readonly string[]): boolean {
  const [key, ...rest] = path
  if (key === undefined || !isRecord(schema)) return true
  const properties = getOwn(schema, 'properties')
  if (!isRecord(properties)) return true
  if (Object.hasOwn(properties, key)) return allows(properties[key], rest)
  return getOwn(schema, 'additionalProperties') !== false || getOwn(schema, 'patternProperties') !== undefined
}
