import { copyJson, getOwn, isRecord, type JsonObject, setOwn } from '@minions/core/json'
import { skillsError } from '../../errors.js'
import { parseTemplate, type Reference } from './reference.js'
import type { StepInput, StepScope } from './step.js'

/**
 * The input of a step with every reference replaced by its value, as a copy. Throws `UNRESOLVED_REFERENCE` if a value
 * does not exist and `VALIDATION_FAILED` when a function returns something other than a JSON object.
 */
export function resolveInput(input: StepInput, scope: StepScope): JsonObject {
  const resolved = typeof input === 'function' ? input(scope) : resolve(input, scope)
  if (!isRecord(resolved)) throw skillsError('VALIDATION_FAILED', 'The input of a step must be a JSON object.')
  return copyJson(resolved, 'The input of a step') as JsonObject
}

function resolve(value: unknown, scope: StepScope): unknown {
  if (typeof value === 'string') return resolveText(value, scope)
  if (Array.isArray(value)) return value.map((item) => resolve(item, scope))
  if (!isRecord(value)) return value
  const result: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setOwn(result, key, resolve(value[key], scope))
  return result
}

function resolveText(text: string, scope: StepScope): unknown {
  const parts = parseTemplate(text)
  const values = parts.map((part) => {
    if (typeof part === 'string') return part
    if ('problem' in part) throw unresolved(part.text, part.problem)
    return lookUp(part, scope)
  })
  if (values.length === 1) return values[0]
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('')
}

function lookUp(reference: Reference, scope: StepScope): unknown {
  const { root, path, text } = reference
  let value: unknown = root === 'params' ? scope.params : getOwn(scope.results, root)
  if (value === undefined) throw unresolved(text, `names the step "${root}", which has no result yet`)
  for (const segment of path) {
    value = typeof value === 'object' && value !== null ? getOwn(value, segment) : undefined
    if (value === undefined) throw unresolved(text, `finds no "${segment}"`)
  }
  return value
}

function unresolved(text: string, problem: string) {
  return skillsError('UNRESOLVED_REFERENCE', `The reference ${text} ${problem}.`, { details: { reference: text } })
}
