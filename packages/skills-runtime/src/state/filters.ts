import type { JsonScalar, Where } from '@minions/core'
import { checkObject } from '../arguments.js'
import { skillsError } from '../errors.js'
import type { ExecutionStatus } from '../execution/execution-schema.js'
import type { AgentState } from '../subagent/agent-state.js'
import { isShort } from '../validation.js'

/** Which subagents to list; all conditions must hold. Attributes may also be written in camel case. */
export interface AgentFilter {
  readonly agent_id?: string | readonly string[]
  readonly name?: string | readonly string[]
  readonly state?: AgentState | readonly AgentState[]
  readonly assigned_skill?: string | readonly string[]
  /** Most records to return; all unless given. */
  readonly limit?: number
}

/** Which executions to list; all conditions must hold. Attributes may also be written in camel case. */
export interface ExecutionFilter {
  readonly execution_id?: string | readonly string[]
  readonly agent_id?: string | readonly string[]
  readonly skill_name?: string | readonly string[]
  readonly skill_version?: string | readonly string[]
  readonly status?: ExecutionStatus | readonly ExecutionStatus[]
  /** Most records to return; all unless given. */
  readonly limit?: number
}

/** A filter in one form: the allowed values of each attribute. */
export interface ParsedFilter {
  readonly conditions: ReadonlyMap<string, readonly string[]>
  readonly limit: number
}

const AGENT_ATTRIBUTES = ['agent_id', 'name', 'state', 'assigned_skill']
const EXECUTION_ATTRIBUTES = ['execution_id', 'agent_id', 'skill_name', 'skill_version', 'status']

export function parseAgentFilter(filter: AgentFilter): ParsedFilter {
  return parse(filter, AGENT_ATTRIBUTES)
}

export function parseExecutionFilter(filter: ExecutionFilter): ParsedFilter {
  return parse(filter, EXECUTION_ATTRIBUTES)
}

/** The conditions as a question to a collection. */
export function toWhere({ conditions }: ParsedFilter): Where {
  return Object.fromEntries([...conditions].map(([key, values]) => [key, { in: values as readonly JsonScalar[] }]))
}

/** Whether a record has an allowed value in each attribute. */
export function matches({ conditions }: ParsedFilter, record: object): boolean {
  for (const [key, values] of conditions) {
    if (!values.includes((record as Record<string, string>)[key] as string)) return false
  }
  return true
}

/** An attribute that does not exist is refused: without it the answer would be another one than was asked for. */
function parse(filter: object, attributes: readonly string[]): ParsedFilter {
  checkObject('The filter', filter)
  const conditions = new Map<string, readonly string[]>()
  let limit = Number.POSITIVE_INFINITY
  for (const [key, value] of Object.entries(filter)) {
    if (value === undefined) continue
    const attribute = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (attribute === 'limit' && Number.isInteger(value) && value >= 0) {
      limit = value
    } else if (attributes.includes(attribute) && isTexts(value)) {
      conditions.set(attribute, typeof value === 'string' ? [value] : [...value])
    } else {
      const shown = isShort(key) ? `"${key}"` : 'a condition'
      throw skillsError(
        'VALIDATION_FAILED',
        `The filter has ${shown}, which cannot be asked for in this way; use ${attributes.join(', ')} with texts, and limit.`,
        { details: { errors: [{ field: 'filter', code: 'FILTER', message: `${shown} is not usable`, pointer: '' }] } },
      )
    }
  }
  return { conditions, limit }
}

function isTexts(value: unknown): value is string | string[] {
  return typeof value === 'string' || (Array.isArray(value) && value.every((each) => typeof each === 'string'))
}
