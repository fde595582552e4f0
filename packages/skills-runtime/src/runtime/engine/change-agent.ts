import { skillsError } from '../../errors.js'
import type { SkillExecution } from '../executions/execution-schema.js'
import type { AgentChange, AgentSnapshot, AppliedChange, Decide, MaybePromise } from '../state/runtime-state.js'
import { type AgentState, canTransition, isFinal } from '../subagents/agent-state.js'
import type { Subagent } from '../subagents/subagent-schema.js'
import { agentIds, executionIds } from './ids.js'
import type { Runtime } from './runtime.js'

/**
 * Changes a subagent in one step and emits events afterwards. Throws `CONFLICT` for a transition that the states do
 * not allow. Returns the subagent as it is then.
 */
export function changeAgent(
  runtime: Runtime,
  agentId: string,
  decide: Decide,
  options?: { readonly pending?: boolean },
): MaybePromise<Subagent> {
  const applied = runtime.state.update(agentId, (snapshot) => checked(snapshot, decide(snapshot)), options)
  return applied instanceof Promise ? applied.then((each) => announce(runtime, each)) : announce(runtime, applied)
}

/** Adds a subagent that is changed at once, and emits the events of both afterwards; with `later`, see `insert`. */
export function createAgent(
  runtime: Runtime,
  before: Subagent,
  change: AgentChange,
  { later }: { readonly later: boolean },
): MaybePromise<void> {
  const created = () => {
    announceSpawned(runtime, before)
    announce(runtime, { before, change })
  }
  if (later) return runtime.state.insert(before, change, created)
  const inserted = runtime.state.insert(before, change)
  return inserted instanceof Promise ? inserted.then(created) : created()
}

export function announceSpawned(runtime: Runtime, agent: Subagent): void {
  if (!runtime.isHeard('agent.spawned')) return
  const ids = agentIds(agent)
  runtime.log.debug('subagent spawned', { ...ids })
  runtime.events.emit('agent.spawned', ids)
}

export function transitionConflict(agent: Subagent, to: AgentState, hint = '') {
  const isOver = to === 'running' && (agent.state === 'completed' || agent.state === 'failed')
  const remedy = isOver
    ? ': a subagent runs one skill or chain; spawn another for the next, or call execute(skill, params)'
    : hint
  const message = `The subagent "${agent.agent_id}" is ${agent.state} and cannot become ${to}${remedy}.`
  return skillsError('CONFLICT', message, { details: { agent_id: agent.agent_id, from: agent.state, to } })
}

function checked({ agent }: AgentSnapshot, change: AgentChange | undefined): AgentChange | undefined {
  const to = change?.agent?.state ?? agent.state
  if (to !== agent.state && !canTransition(agent.state, to)) throw transitionConflict(agent, to)
  return change
}

/** Creates no event without listeners: a run that is not observed should not pay for it. */
function announce(runtime: Runtime, { before, change }: AppliedChange): Subagent {
  const { agent = before, executions, pause } = change
  if (executions !== undefined) for (const execution of executions) announceExecution(runtime, agent, execution)
  if (pause) runtime.events.emit('agent.pause-requested', agentIds(agent))
  if (agent.state === before.state) return agent
  if (isFinal(agent.state)) runtime.ended(agent.agent_id)
  if (runtime.isHeard('agent.transition')) {
    const event = { ...agentIds(agent), from: before.state, to: agent.state, error: agent.error ?? null }
    runtime.log.info('subagent changed state', event)
    runtime.events.emit('agent.transition', event)
  }
  return agent
}

function announceExecution(runtime: Runtime, agent: Subagent, execution: SkillExecution): void {
  const { events, log } = runtime
  const { status, error = null, duration_ms, retry_count } = execution
  const name = nameOf(execution)
  if (!runtime.isHeard(name)) return
  const ids = executionIds(agentIds(agent), execution)
  if (name === 'execution.ended') {
    const event = { ...ids, status, error, duration_ms: duration_ms ?? 0, retry_count }
    log.info('execution ended', event)
    events.emit(name, event)
  } else if (name === 'execution.retried') {
    log.warn('execution is tried again', { ...ids, retry_count })
    events.emit(name, { ...ids, retry_count })
  } else {
    log.debug('execution started', { ...ids })
    events.emit(name, ids)
  }
}

function nameOf({ status, retry_count }: SkillExecution) {
  if (status !== 'pending') return 'execution.ended'
  return retry_count > 0 ? 'execution.retried' : 'execution.started'
}
