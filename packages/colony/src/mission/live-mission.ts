import { setMaxListeners } from 'node:events'
import {
  isOfKind,
  type MissionEnvelope,
  type MissionLedger,
  type MissionTask,
  type MissionTaskGraph,
  type StoredArtifact,
} from '@minions/colony-contracts'
import type { Clock } from '@minions/core'
import { getOrInsert } from '@minions/core/json'
import { readMillis } from '@minions/core/plugin'
import type { Expectation, Revised } from '@minions/core/storage'
import type { Answer, MissionLease, MissionRun, MissionStatus, TaskRun } from '../state/collections.js'

/** The task run of the plan itself; no task can have this name. */
export const PLAN = '#plan'

/** Reason for ending a mission before all its tasks were completed. */
export interface MissionEnd {
  readonly status: Exclude<MissionStatus, 'running'>
  readonly error: string | null
}

export interface MissionState {
  readonly envelope: MissionEnvelope
  readonly graph: MissionTaskGraph | undefined
  readonly run: Revised<MissionRun>
  /** The process that starts its tasks; absent once it has ended. */
  readonly lease: MissionLease | undefined
  readonly taskRuns: readonly Revised<TaskRun>[]
  /** The artifacts of each task, in the order in which it returned them. */
  readonly artifacts: ReadonlyMap<string, readonly StoredArtifact[]>
  readonly answers: readonly Answer[]
  /** What the rules of the mission need, where it is known; read when it is needed otherwise. */
  readonly ledger?: MissionLedger
}

export const TASK_STATUSES = ['pending', 'running', 'waiting', 'completed', 'failed', 'blocked', 'cancelled'] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** A mission in memory: its stored state, and what this process is doing for it. */
export class LiveMission {
  readonly id: string
  readonly envelope: MissionEnvelope
  readonly taskRuns = new Map<string, TaskRun>()
  readonly attempts = new Map<string, number>()
  /** Token of the lease under which it runs here. */
  readonly token: string
  readonly artifacts = new Map<string, readonly StoredArtifact[]>()
  readonly running = new Set<string>()
  /** Tasks whose role stopped at a call that a person must approve, with the approval. */
  readonly suspended = new Map<string, string>()
  /** Tasks that wait for a decision, with the approval. They are not running. */
  readonly waiting = new Map<string, string>()
  /** Called when a task begins or is completed. */
  changed: () => void = () => {}
  readonly #answers = new Map<string, Answer>()
  readonly #controller = new AbortController()
  readonly #waits = new AbortController()
  readonly signal: AbortSignal = this.#controller.signal
  /** Aborted when tasks need no longer wait for decisions, because nothing more is started here. */
  readonly waitSignal: AbortSignal = this.#waits.signal
  readonly #clock: Clock
  readonly #began: number
  readonly #elapsedBefore: number
  readonly #tasks = new Map<MissionTaskGraph, ReadonlyMap<string, MissionTask>>()
  readonly #plans = new Map<number, MissionTaskGraph>()
  readonly #taskRevisions = new Map<string, string>()
  #ledger: Promise<MissionLedger> | undefined
  #run: Revised<MissionRun>
  #graph: MissionTaskGraph | undefined
  #end: MissionEnd | undefined
  #interrupted = false
  #tokens = 0
  #idleMs = 0
  #idleSince: number | undefined

  constructor(state: MissionState, clock: Clock) {
    this.id = state.envelope.mission_id
    this.envelope = state.envelope
    this.#run = state.run
    this.token = state.lease?.token ?? ''
    this.#clock = clock
    this.#began = readMillis(clock)
    // Every running task listens, and there may be many.
    setMaxListeners(0, this.signal, this.waitSignal)
    let elapsed = Math.max(state.run.record.elapsed_ms, state.lease?.elapsed_ms ?? 0)
    for (const each of state.taskRuns) {
      this.keepTaskRun(each)
      elapsed = Math.max(elapsed, each.record.elapsed_ms)
    }
    this.#elapsedBefore = elapsed
    for (const [taskId, artifacts] of state.artifacts) this.artifacts.set(taskId, artifacts)
    for (const answer of state.answers) this.keep(answer)
    if (state.ledger) this.#ledger = Promise.resolve(state.ledger)
    if (state.graph) this.adoptPlan(state.graph)
  }

  get graph(): MissionTaskGraph | undefined {
    return this.#graph
  }

  /** Revision of the graph among those created by roles; 0 for one that existed before the mission ran. */
  get graphRevision(): number {
    return Math.max(0, ...this.#plans.keys())
  }

  /** The graph seen by a task that recorded this revision. */
  graphAt(revision: number): MissionTaskGraph | undefined {
    return this.#plans.get(revision) ?? this.#graph
  }

  /** Adopts the latest plan once the run of the role that created it is known. */
  adoptPlan(graph: MissionTaskGraph): void {
    this.#graph = graph
    for (const { task_id, artifacts } of this.taskRuns.values()) {
      artifacts.forEach(({ revision }, index) => {
        const plan = this.artifacts.get(task_id)?.[index]
        if (revision !== undefined && plan && isOfKind(plan, 'mission_task_graph')) this.#plans.set(revision, plan)
      })
    }
  }

  get run(): MissionRun {
    return this.#run.record
  }

  get runRevision(): string {
    return this.#run.revision
  }

  keepRun(run: Revised<MissionRun>): void {
    this.#run = run
  }

  /** In-memory data for the rules of the mission; loaded on first use. */
  ledger(load: () => Promise<MissionLedger>): Promise<MissionLedger> {
    this.#ledger ??= load().catch((error: unknown) => {
      this.#ledger = undefined
      throw error
    })
    return this.#ledger
  }

  /** Reason why it was stopped; `undefined` while it may continue. */
  get end(): MissionEnd | undefined {
    return this.#end
  }

  /** True if the app was closed or another process took over; nothing is recorded then. */
  get interrupted(): boolean {
    return this.#interrupted
  }

  get stopped(): boolean {
    return this.#end !== undefined || this.#interrupted
  }

  get tokens(): number {
    return this.#tokens
  }

  get overspent(): boolean {
    return this.#tokens > (this.envelope.token_budget ?? Number.POSITIVE_INFINITY)
  }

  get tokensLeft(): number {
    return Math.max(0, (this.envelope.token_budget ?? Number.POSITIVE_INFINITY) - this.#tokens)
  }

  /** Milliseconds that the mission has been running, excluding time when no process ran it or all tasks waited. */
  get elapsed(): number {
    const now = readMillis(this.#clock)
    const idle = this.#idleMs + (this.#idleSince === undefined ? 0 : Math.max(0, now - this.#idleSince))
    return this.#elapsedBefore + Math.max(0, now - this.#began - idle)
  }

  /** True if every task is waiting for a decision, which costs the mission no time. */
  get isIdle(): boolean {
    return this.waiting.size > 0 && this.running.size === 0
  }

  /** Stops the mission's clock while it is idle. */
  countIdle(): void {
    const now = readMillis(this.#clock)
    if (this.#idleSince !== undefined) this.#idleMs += Math.max(0, now - this.#idleSince)
    this.#idleSince = this.isIdle ? now : undefined
  }

  /** The same in whole milliseconds, as it is stored and reported. */
  get elapsedMs(): number {
    return Math.round(this.elapsed)
  }

  get timeLeft(): number {
    return (this.envelope.time_budget_ms ?? Number.POSITIVE_INFINITY) - this.elapsed
  }

  /** A task as one of the graphs of the mission describes it. */
  taskIn(graph: MissionTaskGraph, taskId: string): MissionTask | undefined {
    const tasks = getOrInsert(this.#tasks, graph, () => new Map(graph.tasks.map((task) => [task.task_id, task])))
    return tasks.get(taskId)
  }

  keepTaskRun({ record, revision }: Revised<TaskRun>): void {
    this.taskRuns.set(record.task_id, record)
    this.#taskRevisions.set(record.task_id, revision)
  }

  /** What every record of a task's run holds. */
  ofTask(task_id: string): Pick<TaskRun, 'mission_id' | 'tenant_id' | 'task_id' | 'elapsed_ms'> {
    const { mission_id, tenant_id } = this.envelope
    return { mission_id, tenant_id, task_id, elapsed_ms: this.elapsedMs }
  }

  /** The condition under which the run of a task is written: no other process has written it. */
  expectTask(taskId: string): Expectation {
    const ifRevision = this.#taskRevisions.get(taskId)
    return ifRevision === undefined ? { ifAbsent: true } : { ifRevision }
  }

  isDone(taskId: string): boolean {
    return this.taskRuns.get(taskId)?.status === 'completed'
  }

  answer(taskId: string, attempt: number, sequence: number): Answer | undefined {
    return this.#answers.get(answerKey(taskId, attempt, sequence))
  }

  /** Records an answer and counts its tokens, once. */
  keep(answer: Answer): void {
    const key = answerKey(answer.task_id, answer.attempt, answer.sequence)
    this.#tokens += answer.tokens - (this.#answers.get(key)?.tokens ?? 0)
    this.#answers.set(key, answer)
  }

  /** Ends the mission early: running tasks are aborted and no more are started. The first reason counts. */
  stop(end: MissionEnd): void {
    if (this.#interrupted || this.signal.aborted) return
    this.drain(end)
    this.#controller.abort(new Error(end.error ?? end.status))
  }

  /** Ends the mission once running tasks have finished; no more are started. The first reason counts. */
  drain(end: MissionEnd): void {
    if (!this.stopped) this.#end = end
    this.#waits.abort()
  }

  /** Leaves the mission to another or a later process, unless it was stopped; no outcome is recorded. */
  interrupt(): void {
    if (this.signal.aborted) return
    this.#interrupted = true
    this.#end = undefined
    this.#waits.abort()
  }
}

export function outOfTime({ envelope }: LiveMission): MissionEnd {
  return { status: 'budget_exceeded', error: `The mission has used up its ${envelope.time_budget_ms} ms.` }
}

export function outOfTokens({ tokens, envelope }: LiveMission): MissionEnd {
  const error = `The mission has used ${tokens} of its ${envelope.token_budget} tokens.`
  return { status: 'budget_exceeded', error }
}

function answerKey(taskId: string, attempt: number, sequence: number): string {
  return `${attempt} ${sequence} ${taskId}`
}
