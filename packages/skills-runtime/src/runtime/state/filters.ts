import { timestamp, type Where } from '@minions/core'
import type { JsonScalar } from '@minions/core/json'
import { isDate, isShort, issueAt } from '@minions/core/schema'
import { checkObject } from '../../arguments.js'
import { skillsError } from '../../errors.js'
import type { ExecutionStatus } from '../executions/execution-schema.js'
import type { AgentState } from '../subagents/agent-state.js'

interface RecordFilter {
  readonly agent_id?: string | readonly string[] | undefined
  /** Only those that started at this time or later: RFC 3339, a date alone, or a `Date`. */
  readonly started_after?: string | Date | undefined
  /** Only those that started before this time. */
  readonly started_before?: string | Date | undefined
  /** Maximum number of records to return; all by default. */
  readonly limit?: number | undefined
  /** The newest come first, and with a limit are the ones returned. */
  readonly newest_first?: boolean | undefined
}

/** A filter for subagents; all conditions must match. Attributes may also be written in camel case. */
export interface AgentFilter extends RecordFilter {
  readonly name?: string | readonly string[] | undefined
  readonly state?: AgentState | readonly AgentState[] | undefined
  readonly assigned_skill?: string | readonly string[] | undefined
}

/** A filter for executions; all conditions must match. Attributes may also be written in camel case. */
export interface ExecutionFilter extends RecordFilter {
  readonly execution_id?: string | readonly string[] | undefined
  readonly skill_name?: string | readonly string[] | undefined
  readonly skill_version?: string | readonly string[] | undefined
  readonly status?: ExecutionStatus | readonly ExecutionStatus[] | undefined
}

/** A filter in one form: the allowed values of each attribute, and the window in which `started_at` must be. */
export interface ParsedFilter {
  readonly conditions: ReadonlyMap<string, readonly string[]>
  readonly started: { readonly gte?: string; readonly lt?: string } | undefined
  readonly limit: number
  readonly newestFirst: boolean
}

export const AGENT_ATTRIBUTES = ['agent_id', 'name', 'state', 'assigned_skill']
export const EXECUTION_ATTRIBUTES = ['execution_id', 'agent_id', 'skill_name', 'skill_version', 'status']

/** The conditions as a query of a collection. */
export function toWhere({ conditions, started }: ParsedFilter): Where {
  const where = Object.fromEntries(
    [...conditions].map(([key, values]) => [key, { in: values as readonly JsonScalar[] }]),
  )
  return started === undefined ? where : { ...where, started_at: started }
}

/** True if a record has an allowed value in each attribute, and started in the window. */
export function matches(
  { conditions, started }: ParsedFilter,
  record: { readonly started_at?: string | null },
): boolean {
  if (started !== undefined) {
    const { started_at } = record
    if (started_at == null || started_at < (started.gte ?? '')) return false
    if (started.lt !== undefined && started_at >= started.lt) return false
  }
  for (const [key, values] of conditions) {
    if (!values.includes((record as Record<string, string>)[key] as string)) return false
  }
  return true
}

/** An unknown attribute is refused: ignoring it would change the meaning of the filter. */
export function parseFilter(filter: AgentFilter | ExecutionFilter, attributes: readonly string[]): ParsedFilter {
  checkObject('The filter', filter)
  const conditions = new Map<string, readonly string[]>()
  const started: { gte?: string; lt?: string } = {}
  let limit = Number.POSITIVE_INFINITY
  let newestFirst = false
  for (const [key, value] of Object.entries(filter)) {
    if (value === undefined) continue
    const attribute = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    if (attribute === 'limit' && Number.isInteger(value) && value >= 0) {
      limit = value
    } else if (attribute === 'newest_first' && typeof value === 'boolean') {
      newestFirst = value
    } else if (attribute === 'started_after' || attribute === 'started_before') {
      started[attribute === 'started_after' ? 'gte' : 'lt'] = toTimestamp(attribute, value)
    } else if (attributes.includes(attribute) && isTexts(value)) {
      conditions.set(attribute, typeof value === 'string' ? [value] : [...value])
    } else {
      const shown = isShort(key) ? `"${key}"` : 'a condition'
      const problem = `has ${shown}, which is not supported`
      const message = `The filter ${problem}; use ${attributes.join(', ')} with strings, started_after, started_before, limit and newest_first.`
      throw skillsError('VALIDATION_FAILED', message, { details: { errors: [issueAt('', 'FILTER', problem)] } })
    }
  }
  return { conditions, limit, newestFirst, started: Object.keys(started).length > 0 ? started : undefined }
}

/** A time in the runtime's stored format, so that strings compare as times do. */
function toTimestamp(name: string, value: unknown): string {
  const time = value instanceof Date ? value.getTime() : isDate(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return timestamp(time)
  const message = 'must be a time such as 2026-01-31T09:30:00Z, or a date'
  throw skillsError('VALIDATION_FAILED', `The filter is not usable: "${name}" ${message}.`, {
    details: { errors: [issueAt(`/${name}`, 'FILTER', message)] },
  })
}

/** An upper limit that no real filter reaches. */
const MOST_VALUES = 10_000

function isTexts(value: unknown): value is string | string[] {
  if (typeof value === 'string') return true
  return Array.isArray(value) && value.length <= MOST_VALUES && value.every((each) => typeof each === 'string')
}
