import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { messageOf } from '@minions/core'
import { Semaphore } from '@minions/core/coordination'
import { guardMethods, type Logger, silentLogger } from '@minions/core/plugin'
import { Piscina } from 'piscina'
import type { Static } from 'typebox'
import { checkObject } from '../../arguments.js'
import { skillsError } from '../../errors.js'
import type { Skill } from '../../skills/definition/skill.js'
import type { SkillContext } from '../../skills/definition/skill-context.js'
import { assertValid, recordValidator } from '../../validation.js'
import type { AttemptClock, SkillRunner } from '../engine/skill-runner.js'
import { WorkersSchema } from '../manager/part-settings.js'
import { ContextServer } from './context-server.js'
import type { WorkerOutcome, WorkerTask } from './protocol.js'
import { receiveError } from './transferred-error.js'
import { workerFailure } from './worker-failure.js'

/** The settings of worker threads, and the logger. */
export interface WorkerRunnerOptions extends Readonly<Static<typeof WorkersSchema>> {
  readonly log?: Logger
}

const validateSettings = recordValidator(WorkersSchema)

/**
 * Runs skills in a pool of worker threads, one at a time in each. A skill that does not end when its signal is aborted is
 * killed with its thread; a thread that dies is replaced, and only the skill that ran in it fails.
 */
export class WorkerRunner implements SkillRunner {
  readonly #options: WorkerRunnerOptions
  readonly #slots: Semaphore
  readonly #threads: number
  readonly #contexts = new ContextServer()
  #pool: Piscina<WorkerTask, WorkerOutcome> | undefined
  /** Skills that are in a thread, or wait for the one that is started for them. */
  #running = 0

  constructor(options: WorkerRunnerOptions = {}) {
    checkObject('The worker runner', options)
    const { log: _, ...settings } = options
    assertValid('The worker runner', validateSettings(settings))
    this.#options = options
    this.#threads = options.threads ?? Math.max(4, availableParallelism())
    this.#slots = new Semaphore(this.#threads)
  }

  /** Threads that exist at the moment. */
  get threads(): number {
    return this.#pool?.threads.length ?? 0
  }

  async run(
    skill: Skill,
    params: Record<string, unknown>,
    context: SkillContext,
    clock?: AttemptClock,
  ): Promise<unknown> {
    const { signal } = context
    // The pool must never queue: it starts no thread for what waits when another one dies.
    const waiting = this.#slots.acquire(signal)
    if (waiting !== undefined) {
      // A skill that waits for a thread has not started, so its clock is stopped.
      clock?.hold()
      await waiting
      clock?.unhold()
    }
    try {
      return await this.#runInThread(skill, params, context, clock)
    } finally {
      this.#slots.release()
    }
  }

  async close(): Promise<void> {
    const pool = this.#pool
    this.#pool = undefined
    await pool?.destroy()
  }

  async #runInThread(
    skill: Skill,
    params: Record<string, unknown>,
    context: SkillContext,
    clock: AttemptClock | undefined,
  ): Promise<unknown> {
    const { signal } = context
    // Starting a thread takes longer than many skills, so it does not count towards the timeout.
    let isHeld = clock !== undefined && this.#running >= this.threads
    const begin = () => {
      if (isHeld) clock?.unhold()
      isHeld = false
    }
    if (isHeld) clock?.hold()
    this.#running++
    const run = this.#contexts.open(context, begin)
    const kill = new KillSwitch()
    let grace: NodeJS.Timeout | undefined
    const abort = () => {
      this.#contexts.abort(run, signal.reason)
      // A blocked host first handles the answers that arrived in the meantime; `use` does nothing once the run has
      // ended.
      grace = setTimeout(() => setImmediate(() => kill.use()), this.#options.graceMs ?? 100)
    }
    signal.addEventListener('abort', abort, { once: true })
    let outcome: WorkerOutcome | undefined
    try {
      const { agentId, executionId, attempt, idempotencyKey, state } = context
      const facts = { agentId, executionId, attempt, idempotencyKey }
      const code = { module: String(skill.module), exportName: skill.export ?? 'execute' }
      const task = { run, tellsBeginning: isHeld, ...code, params, facts, state }
      outcome = await this.#open().run(task, { signal: kill })
    } catch (error) {
      throw kill.aborted ? signal.reason : workerFailure(skill.name, error)
    } finally {
      this.#running--
      begin()
      clearTimeout(grace)
      signal.removeEventListener('abort', abort)
      this.#contexts.close(run, outcome)
    }
    if (outcome.ok) return outcome.value
    throw receiveError(outcome.error)
  }

  #open(): Piscina<WorkerTask, WorkerOutcome> {
    if (this.#pool !== undefined) return this.#pool
    const { maxHeapMb = 256, idleMs = 30_000, log = silentLogger } = this.#options
    this.#pool = new Piscina({
      filename: entryFile(),
      minThreads: 0,
      maxThreads: this.#threads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
      // Threads must not sleep between tasks: what a skill left behind would then disturb the next one.
      atomics: 'disabled',
    })
    this.#pool.on('message', (message: unknown) => this.#contexts.greet(message))
    // An idle thread that dies is replaced; without a listener its error would end the host.
    this.#pool.on('error', (error: unknown) => log.warn('an idle worker thread died', { error: messageOf(error) }))
    return this.#pool
  }
}

guardMethods(WorkerRunner, { callsBack: ['run'] })

/** What the pool listens to in order to kill a thread; for every run an AbortController would cost noticeably more. */
class KillSwitch extends EventEmitter {
  aborted = false

  use(): void {
    this.aborted = true
    this.emit('abort')
  }
}

/** Threads run JavaScript only: from sources, as in tests, the entry is the built one. */
function entryFile(): string {
  const beside = fileURLToPath(new URL('./worker-entry.js', import.meta.url))
  const built = fileURLToPath(new URL('../../../dist/runtime/isolation/worker-entry.js', import.meta.url))
  const file = import.meta.url.endsWith('.ts') ? built : beside
  if (existsSync(file)) return file
  throw skillsError('ISOLATION_MISSING', `Worker threads need ${file}, which does not exist; build the package first.`)
}
