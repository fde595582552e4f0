import { compileSchema } from '@minions/core/schema'
import { describe, expect, it } from 'vitest'
import {
  AGENT_STATES,
  type AgentState,
  canTransition,
  EXECUTION_STATUSES,
  type ValidationResult,
  validateExecution,
  validateMessage,
  validateSubagent,
} from '../src/index.js'
import { newJob } from '../src/jobs/job/new-job.js'
import { subagentError } from '../src/runtime/subagents/error-text.js'
import { publishedSchemas } from '../src/schemas/published.js'
import { eventMessage, execution, navigate, requestMessage, subagent } from './examples.js'

/** The attribute that the first issue is about. */
const namedBy = ({ errors: [first] }: ValidationResult) => first?.pointer.split('/')[1]

describe('subagent records', () => {
  const failing: [string, unknown][] = [
    ['agent_id', undefined],
    ['agent_id', 'a b'],
    ['name', 'x'.repeat(101)],
    ['state', 'asleep'],
    ['state', undefined],
    ['assigned_skill', 'a b'],
    ['skill_params', []],
    ['results', undefined],
    ['results', { navigate: 5 }],
    ['error', 'x'.repeat(1001)],
    ['created_at', 'today'],
    ['started_at', 5],
    ['completed_at', '2025-13-01T00:00:00Z'],
    ['metadata', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 1]))],
    ['metadata', { when: new Date(0) }],
  ]

  const passing: [string, unknown][] = [
    ['agent_id', 'agent-123'],
    ['name', 'x'.repeat(100)],
    ['name', undefined],
    ['assigned_skill', null],
    ['skill_params', null],
    ['results', {}],
    ['error', 'x'.repeat(1000)],
    ['started_at', null],
    ['completed_at', '2025-12-19T10:05:11Z'],
    ['metadata', Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]))],
    ...AGENT_STATES.map((state): [string, unknown] => ['state', state]),
  ]

  it('accepts the example', () => expect(validateSubagent(subagent)).toEqual({ valid: true, errors: [] }))

  it.each(passing)('accepts %s = %o', (attribute, value) => {
    expect(validateSubagent({ ...subagent, [attribute]: value }).errors).toEqual([])
  })

  it.each(failing)('refuses %s = %o', (attribute, value) => {
    expect(namedBy(validateSubagent({ ...subagent, [attribute]: value }))).toBe(attribute)
  })

  it('refuses what is no object', () => expect(validateSubagent(null).valid).toBe(false))

  it.each(['must be null', 'must match a schema in anyOf'])('sees a wrong value under the name "%s"', (name) => {
    expect(validateSubagent({ ...subagent, results: { [name]: 5 } }).errors).toMatchObject([
      { code: 'TYPE', pointer: `/results/${name}` },
    ])
  })

  it('says one thing about an attribute that may be null', () => {
    for (const [field, value, code] of [
      ['name', 5, 'TYPE'],
      ['assigned_skill', 'a b', 'PATTERN'],
      ['assigned_skill', 'abc\n', 'PATTERN'],
    ] as const) {
      expect(validateSubagent({ ...subagent, [field]: value }).errors).toMatchObject([{ pointer: `/${field}`, code }])
    }
  })
})

describe('execution records', () => {
  const failing: [string, unknown][] = [
    ['execution_id', undefined],
    ['agent_id', ''],
    ['skill_name', 'n/o'],
    ['skill_version', '1'],
    ['parameters', undefined],
    ['parameters', []],
    ['result', 'done'],
    ['result', null],
    ['error', 5],
    ['status', 'cancelled'],
    ['started_at', 'now'],
    ['completed_at', 5],
    ['duration_ms', 69999],
    ['duration_ms', -1],
    ['duration_ms', 0.5],
    ['retry_count', -1],
    ['retry_count', undefined],
  ]

  it('accepts the example and a pending one', () => {
    expect(validateExecution(execution, navigate)).toEqual({ valid: true, errors: [] })
    const { result: _, completed_at: __, duration_ms: ___, ...pending } = { ...execution, status: 'pending' }
    expect(validateExecution(pending).valid).toBe(true)
  })

  it.each(failing)('refuses %s = %o', (attribute, value) => {
    expect(namedBy(validateExecution({ ...execution, [attribute]: value }))).toBe(attribute)
  })

  it('refuses a leap second where it stands, and says so', () => {
    const { errors } = validateExecution({ ...execution, completed_at: '2016-12-31T23:59:60Z' })
    expect(errors).toEqual([expect.objectContaining({ pointer: '/completed_at', code: 'PATTERN' })])
    expect(errors[0]?.message).toMatch(/must be a date and time such as .* leap second/)
  })

  it('needs an error unless it succeeded, and keeps to the retries of the skill', () => {
    for (const status of ['failed', 'timeout']) {
      expect(namedBy(validateExecution({ ...execution, status }))).toBe('error')
      expect(validateExecution({ ...execution, status, error: 'x'.repeat(5000) }).valid).toBe(true)
    }
    expect(validateExecution({ ...execution, retry_count: 2 }, navigate).valid).toBe(true)
    expect(namedBy(validateExecution({ ...execution, retry_count: 3 }, navigate))).toBe('retry_count')
    expect(validateExecution(undefined).valid).toBe(false)
    expect(validateExecution({ ...execution, result: { n: 1n } }).errors[0]?.pointer).toBe('/result/n')
    expect(EXECUTION_STATUSES).toEqual(['pending', 'success', 'failed', 'timeout'])
  })
})

describe('agent states', () => {
  const allowed = new Set([
    'idle running',
    'idle failed',
    'running paused',
    'running completed',
    'running failed',
    'paused running',
    'paused failed',
  ])

  it.each(AGENT_STATES.flatMap((from) => AGENT_STATES.map((to) => [from, to] as const)))('%s → %s', (from, to) => {
    expect(canTransition(from, to)).toBe(allowed.has(`${from} ${to}`))
  })

  it('knows no other states', () => {
    expect(canTransition('toString' as AgentState, 'failed')).toBe(false)
    expect(canTransition('idle', 'constructor' as AgentState)).toBe(false)
  })

  it('cuts long errors at 1,000 characters with a marker', () => {
    expect(subagentError('short')).toBe('short')
    expect(subagentError('x'.repeat(1000))).toBe('x'.repeat(1000))
    const cut = subagentError('😀'.repeat(1001))
    expect(Array.from(cut)).toHaveLength(1000)
    expect(cut).toMatch(/😀… \[cut\]$/u)
    expect(validateSubagent({ ...subagent, error: cut }).valid).toBe(true)
  })
})

describe('published schemas', () => {
  it('are JSON Schema and accept the examples', () => {
    const registry = {
      registry_id: 'default',
      skills: { navigate },
      dependency_graph: { navigate: [] },
      last_updated: '2025-12-19T10:00:00Z',
    }
    const log = {
      execution_id: 'e1',
      agent_id: 'a1',
      progress: { at: '2025-12-19T10:00:00Z', fraction: 0.5, note: null },
      lines: [{ at: '2025-12-19T10:00:00Z', attempt: 1, level: 'info', message: 'hello', fields: { page: 1 } }],
      dropped: 0,
    }
    const job = newJob({ skill: 'navigate', version: '1.0.0', params: { location: 'kitchen' } }, Date.now)
    const schedule = {
      schedule_id: 'nightly',
      cron: '0 3 * * *',
      timezone: 'UTC',
      job: { skill: 'navigate' },
      paused: false,
      next_at: '2025-12-20T03:00:00.000Z',
      last_at: null,
      last_job_id: null,
      created_at: '2025-12-19T10:00:00.000Z',
    }
    const examples: Record<string, unknown[]> = {
      'execution-log': [log],
      job: [job],
      message: [eventMessage, requestMessage],
      schedule: [schedule],
      skill: [navigate],
      'skill-execution': [execution],
      'skill-registry': [registry],
      subagent: [subagent],
    }
    expect(Object.keys(publishedSchemas).sort()).toEqual(Object.keys(examples).sort())
    for (const [name, records] of Object.entries(examples)) {
      const compiled = compileSchema(publishedSchemas[name] as object)
      for (const record of records) expect(compiled.issues(record)).toEqual([])
      expect(compiled.issues({})).not.toEqual([])
    }
  })

  it('say of the address and the correlation of a message what validateMessage says', () => {
    const { issues } = compileSchema(publishedSchemas.message as object)
    const verdicts = new Set<boolean>()
    for (const topic of [undefined, null, 'a.b', '']) {
      for (const recipient_id of [undefined, null, 'agent-b', 'a..b']) {
        for (const message_type of ['event', 'request', 'response', 'error']) {
          for (const correlation_id of [undefined, null, 'c-1']) {
            const message = JSON.parse(
              JSON.stringify({ ...eventMessage, topic, recipient_id, message_type, correlation_id }),
            )
            const { valid } = validateMessage(message)
            expect({ message, valid: issues(message).length === 0 }).toEqual({ message, valid })
            verdicts.add(valid)
          }
        }
      }
    }
    expect(verdicts.size).toBe(2)
  })

  it('refuse a final line feed and times that only a format would refuse', () => {
    for (const [name, record] of Object.entries({
      message: eventMessage,
      skill: navigate,
      subagent,
      'skill-execution': execution,
    })) {
      const { issues } = compileSchema(publishedSchemas[name] as object)
      for (const [key, value] of Object.entries(record)) {
        if (typeof value !== 'string' || ['description', 'name', 'topic', 'error'].includes(key)) continue
        expect(issues({ ...record, [key]: `${value}\n` }), key).not.toEqual([])
        if (key.endsWith('_at')) expect(issues({ ...record, [key]: '2025-02-30T00:00:00Z' }), key).not.toEqual([])
      }
    }
  })
})
