import { coreError, isMinionsError, messageOf } from '@minions/core'
import { cancelOnAbort, sleep, systemTimers } from '@minions/core/coordination'
import type { JsonObject } from '@minions/core/json'
import { type SkillsErrorCode, skillsError } from '../../errors.js'
import type { SubagentManager } from '../../runtime/manager/subagent-manager.js'
import type { Subagent } from '../../runtime/subagents/subagent-schema.js'
import { isRunnable } from '../../skills/definition/skill.js'
import { allVersions } from '../../skills/registry/register-valid.js'
import type { Delivery, JobOutcome, SkillVersion, WorkerEndpoint } from '../executor.js'
import { errorOf } from '../job/error-of.js'
import type { Job } from '../job/job-schema.js'

export interface JobWorkerOptions {
  readonly manager: SubagentManager
  readonly workerId: string
  readonly concurrency: number
  readonly tags: readonly string[]
  /** Skills that it takes jobs for; by default all whose code it has. */
  readonly only?: readonly string[] | undefined
}

/**
 * Milliseconds after which a running subagent is stored. Until then the claim on the job protects it: a process that
 * gets the job starts it again, with the same idempotency key.
 */
const STORE_AFTER = 250

/** Milliseconds before a job is returned because the store is unreachable. */
const STORE_PAUSE = 500

/** Milliseconds before a job is returned because its subagent could not start; doubled each time. */
const FIRST_PAUSE = 50
const LONGEST_PAUSE = 5000

/** Maximum number of returns before a job that cannot start fails. */
const MOST_RELEASES = 100

/** Errors that are not the job's fault: it was interrupted, or the store could not be reached. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set<SkillsErrorCode>(['INTERRUPTED', 'CLOSED', 'LEASE_LOST', 'CONFLICT'])

export class JobWorker implements WorkerEndpoint {
  readonly worker_id: string
  readonly concurrency: number
  readonly tags: readonly string[]
  readonly #manager: SubagentManager
  readonly #only: ReadonlySet<string> | undefined

  constructor({ manager, workerId, concurrency, tags, only }: JobWorkerOptions) {
    this.worker_id = workerId
    this.concurrency = concurrency
    this.tags = tags
    this.#manager = manager
    this.#only = only && new Set(only)
  }

  /** Skills without code cannot run here. */
  skills(): SkillVersion[] {
    return [...allVersions(this.#manager.registry)]
      .filter((skill) => isRunnable(skill) && (this.#only?.has(skill.name) ?? true))
      .map(({ name, version }) => ({ name, version }))
  }

  async perform(delivery: Delivery): Promise<JobOutcome> {
    const { job, signal } = delivery
    if (signal.aborted) return { status: 'released' }
    const stop = () => void this.#stop(job.agent_id, signal.reason)
    return cancelOnAbort(signal, stop, () => this.#perform(delivery)).catch((error) => this.#outcomeOf(delivery, error))
  }

  async #perform(delivery: Delivery): Promise<JobOutcome> {
    const { job } = delivery
    const begun = job.deliveries + job.releases > 1 ? await this.#begun(job) : undefined
    if (begun === undefined) return this.#execute(delivery)
    return isOf(begun, job) ? this.#goOn(delivery, begun) : { status: 'failed', error: errorOf(notItsOwn(job)) }
  }

  /** A job that is cancelled ends its subagent; one that another worker gets leaves it to be resumed there. */
  async #stop(agentId: string, reason: unknown): Promise<void> {
    try {
      if (coreError.is(reason, 'CANCELLED')) await this.#manager.cancel(agentId)
    } catch {
      // It is not stored yet, or has ended.
    }
    await this.#manager.interrupt(agentId)
  }

  async #execute({ job, commit, rest }: Delivery): Promise<JobOutcome> {
    const { job_id, agent_id, skill_name, skill_version, tenant_id, max_retries } = job
    const metadata = { ...job.metadata, job_id, ...(tenant_id !== null && { tenant_id }) } as JsonObject
    const result = await this.#manager.execute(skill_name, job.parameters as JsonObject, {
      agent: { metadata },
      agentId: agent_id,
      idempotencyKey: job_id,
      storeAfter: STORE_AFTER,
      version: skill_version ?? undefined,
      maxRetries: max_retries ?? undefined,
      alsoCommit: commit,
      rest,
    })
    return commit ? { status: 'committed' } : { status: 'completed', result }
  }

  /** The subagent of an earlier delivery, if it was stored before its worker died. */
  async #begun({ agent_id }: Job): Promise<Subagent | undefined> {
    try {
      return await this.#manager.get(agent_id)
    } catch (error) {
      if (coreError.is(error, 'NOT_FOUND')) return undefined
      throw error
    }
  }

  /**
   * Continues what an earlier worker began, from its last checkpoint; the claim on the job proves that that worker is
   * gone.
   */
  async #goOn({ job, commit, rest }: Delivery, agent: Subagent): Promise<JobOutcome> {
    const { agent_id, skill_name, job_id, max_retries } = job
    if (agent.state !== 'running' && agent.state !== 'paused') return endOf(agent, skill_name)
    const settings = { idempotencyKey: job_id, maxRetries: max_retries ?? undefined, alsoCommit: commit, rest }
    await this.#manager.resume(agent_id, { takeOver: true, ...settings })
    const ended = await this.#ended(agent_id)
    return ended.state === 'completed' && commit ? { status: 'committed' } : endOf(ended, skill_name)
  }

  /** Waits for the run in this process: one that was interrupted here has not ended. */
  async #ended(agentId: string): Promise<Subagent> {
    await this.#manager.whenIdle(agentId)
    const agent = await this.#manager.get(agentId)
    if (agent.state === 'completed' || agent.state === 'failed') return agent
    throw skillsError('INTERRUPTED', `The subagent "${agentId}" was interrupted.`)
  }

  /** A returned job is claimed again at once, so a permanent reason must not return it forever. */
  async #outcomeOf({ job, signal }: Delivery, error: unknown): Promise<JobOutcome> {
    if (signal.aborted) return { status: 'released' }
    const code = isMinionsError(error) ? error.code : ''
    const isStore = code.startsWith('STORAGE_') || code === 'TRANSACTION_TIMEOUT'
    if (!isStore && !(NOT_ITS_FAULT.has(code) && job.releases < MOST_RELEASES)) {
      return { status: 'failed', error: errorOf(error) }
    }
    const wait = isStore ? STORE_PAUSE : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** job.releases)
    // Ends early when the worker is told to stop.
    await sleep(wait, systemTimers, signal).catch(() => undefined)
    return { status: 'released' }
  }
}

/** True if a subagent was created for a job: another one's result is not its result. */
function isOf({ metadata, assigned_skill }: Subagent, { job_id, skill_name }: Job): boolean {
  return metadata?.job_id === job_id && assigned_skill === skill_name
}

function notItsOwn({ job_id, agent_id }: Job) {
  const message = `The subagent "${agent_id}" was not created for the job "${job_id}"; resend the job, so that it gets a new subagent.`
  return skillsError('CONFLICT', message, { details: { job_id, agent_id } })
}

/** The outcome of a subagent that ended without its job, because its worker died in between. */
function endOf(agent: Subagent, skill: string): JobOutcome {
  if (agent.state === 'completed') return { status: 'completed', result: (agent.results?.[skill] ?? {}) as JsonObject }
  return { status: 'failed', error: { code: 'SKILL_FAILED', message: messageOf(agent.error ?? 'unknown') } }
}
