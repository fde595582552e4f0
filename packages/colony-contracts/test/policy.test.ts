import { describe, expect, it } from 'vitest'
import {
  type Artifact,
  type ArtifactName,
  evaluateDataScope,
  evaluateTool,
  evaluateWriteback,
  POLICY_GATE_PRODUCER,
  type PolicyDecision,
  type TaskPolicy,
} from '../src/index.js'
import { linkedMission } from './support/mission.js'

const mission = linkedMission() as unknown as { [Name in ArtifactName]: Artifact<Name> }
const [, , workerTask] = mission.mission_task_graph.tasks
const at = Date.parse('2026-04-14T12:30:00Z')
const decided = (rest: Partial<PolicyDecision>): PolicyDecision => ({
  ...mission.policy_decision,
  ...rest,
})

function policy(rest: Partial<TaskPolicy> = {}): TaskPolicy {
  return {
    envelope: mission.mission_envelope,
    task: workerTask as TaskPolicy['task'],
    packages: [mission.prompt_package],
    passes: [mission.librarian_pass],
    decisions: [],
    at,
    ...rest,
  }
}

const tool = (rest: Partial<TaskPolicy> = {}, name = 'external_search') => evaluateTool(policy(rest), name).code

describe('evaluateTool', () => {
  it('allows what task and package both list', () => {
    expect(evaluateTool(policy(), 'crm_search')).toMatchObject({ allowed: true, code: 'ALLOWED' })
  })

  it.each(['shell', '', 'toString', '__proto__'])('denies %j, which the task does not list', (name) => {
    expect(evaluateTool(policy(), name)).toMatchObject({ allowed: false, code: 'NOT_IN_TASK' })
    expect(tool({ decisions: [decided({ subject: name })] }, name)).toBe('NOT_IN_TASK')
  })

  it('denies what no package of the task includes', () => {
    const prompt = { ...policy().packages[0], tool_scope: ['crm_search'] } as never
    expect(tool({ packages: [prompt] })).toBe('NOT_IN_SCOPE')
    expect(tool({ packages: [prompt], decisions: [decided({})] })).toBe('NOT_IN_SCOPE')
  })

  it('denies by default: the list of a task grants nothing', () => {
    expect(tool({ packages: [] })).toBe('NOT_GRANTED')
    expect(tool({ packages: [], decisions: [decided({})] })).toBe('ALLOWED')
    const elsewhere = { ...policy().packages[0], task_id: 'task_plan_01' } as never
    expect(tool({ packages: [elsewhere] })).toBe('NOT_GRANTED')
    const foreign = { ...policy().packages[0], mission_id: crypto.randomUUID() } as never
    expect(tool({ packages: [foreign] })).toBe('NOT_GRANTED')
  })

  it('denies from the moment the last pass expires', () => {
    const expiry = Date.parse('2026-04-14T13:00:00Z')
    expect(tool({ at: expiry - 1 })).toBe('ALLOWED')
    expect(tool({ at: expiry })).toBe('PASS_EXPIRED')
    const renewed = { ...policy().passes[0], expires_at: '2026-04-14T14:00:00Z' } as never
    expect(tool({ at: expiry, passes: [...policy().passes, renewed] })).toBe('ALLOWED')
  })

  it('needs a pass only when configured so', () => {
    expect(tool({ passes: [] })).toBe('ALLOWED')
    expect(tool({ passes: [], config: { requirePass: true } })).toBe('NO_PASS')
    expect(tool({ config: { requirePass: true } })).toBe('ALLOWED')
  })

  it('follows the latest decision; at the same moment the one that denies', () => {
    const deny = decided({ decision: 'deny', decision_id: 'pol_002' })
    const later = decided({ created_at: '2026-04-14T12:10:00Z' })
    expect(tool({ decisions: [deny] })).toBe('DENIED_BY_DECISION')
    expect(tool({ decisions: [later, deny] })).toBe('ALLOWED')
    expect(tool({ decisions: [decided({}), deny] })).toBe('DENIED_BY_DECISION')
    expect(tool({ decisions: [deny, decided({})] })).toBe('DENIED_BY_DECISION')
  })

  it.each([
    ['another tool', { subject: 'crm_search' }],
    ['another question', { decision_type: 'data_scope' }],
    ['another mission', { mission_id: crypto.randomUUID() }],
    ['another task', { task_id: 'task_plan_01' }],
    ['what the gate recorded', { producer: POLICY_GATE_PRODUCER }],
  ])('is not moved by a decision on %s', (_what, rest) => {
    expect(tool({ decisions: [decided({ decision: 'deny', ...rest })] })).toBe('ALLOWED')
    expect(tool({ packages: [], decisions: [decided(rest)] })).toBe('NOT_GRANTED')
  })

  it('restricts a sensitivity class by configuration', () => {
    const only = (tools: string[]) => ({ config: { toolsBySensitivity: { internal_business: tools } } })
    expect(tool(only(['crm_search']))).toBe('SENSITIVITY')
    expect(tool(only([]))).toBe('SENSITIVITY')
    expect(tool(only(['external_search']))).toBe('ALLOWED')
    expect(tool({ config: { toolsBySensitivity: { secret: [] } } })).toBe('ALLOWED')
    const envelope = { ...policy().envelope, sensitivity_class: 'toString' }
    expect(tool({ envelope, config: { toolsBySensitivity: {} } })).toBe('ALLOWED')
  })
})

describe('evaluateDataScope', () => {
  const scope = (rest: Partial<TaskPolicy>, name: string) => evaluateDataScope(policy(rest), name).code
  const decision = (rest: Partial<PolicyDecision>) => decided({ decision_type: 'data_scope', ...rest })

  it('allows what a valid pass lists', () => {
    expect(scope({}, 'crm.leads')).toBe('ALLOWED')
    expect(scope({}, 'crm.salaries')).toBe('NOT_GRANTED')
    expect(scope({}, 'crm')).toBe('NOT_GRANTED')
    expect(scope({ at: Date.parse('2026-04-14T13:00:00Z') }, 'crm.leads')).toBe('PASS_EXPIRED')
  })

  it('takes a decision for a scope that the task requires', () => {
    expect(scope({}, 'mission_metadata')).toBe('NOT_GRANTED')
    expect(scope({ decisions: [decision({ subject: 'mission_metadata' })] }, 'mission_metadata')).toBe('ALLOWED')
    expect(scope({ decisions: [decision({ subject: 'crm.salaries' })] }, 'crm.salaries')).toBe('NOT_GRANTED')
  })

  it('follows a decision that denies', () => {
    expect(scope({ decisions: [decision({ subject: 'crm.leads', decision: 'deny' })] }, 'crm.leads')).toBe(
      'DENIED_BY_DECISION',
    )
  })
})

describe('evaluateWriteback', () => {
  const proposal = mission.writeback_proposal
  const free = { ...proposal, requires_approval: false }
  const decision = (rest: Partial<PolicyDecision> = {}) =>
    decided({ decision_type: 'writeback', subject: 'wb_001', ...rest })

  it('needs a decision that allows', () => {
    expect(evaluateWriteback(proposal, [])).toMatchObject({ allowed: false, code: 'NO_APPROVAL' })
    expect(evaluateWriteback(proposal, [decision()])).toMatchObject({ allowed: true, code: 'ALLOWED' })
  })

  it.each([
    ['another proposal', { subject: 'wb_002' }],
    ['another question', { decision_type: 'tool_scope' }],
    ['another mission', { mission_id: crypto.randomUUID() }],
    ['what the gate recorded', { producer: POLICY_GATE_PRODUCER }],
  ])('is not moved by a decision on %s', (_what, rest) => {
    expect(evaluateWriteback(proposal, [decision(rest)]).code).toBe('NO_APPROVAL')
  })

  it('one that denies is final', () => {
    const deny = decision({ decision: 'deny' })
    const later = decision({ created_at: '2026-04-15T00:00:00Z' })
    expect(evaluateWriteback(proposal, [deny, later]).code).toBe('DENIED_BY_DECISION')
    expect(evaluateWriteback(free, [deny], { allowUnapprovedWriteback: true }).code).toBe('DENIED_BY_DECISION')
  })

  it('does without only when proposal and configuration both say so', () => {
    expect(evaluateWriteback(free, []).allowed).toBe(false)
    expect(evaluateWriteback(proposal, [], { allowUnapprovedWriteback: true }).allowed).toBe(false)
    expect(evaluateWriteback(free, [], { allowUnapprovedWriteback: true }).allowed).toBe(true)
  })
})
