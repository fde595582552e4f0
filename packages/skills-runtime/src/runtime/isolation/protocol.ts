import type { MessagePort } from 'node:worker_threads'
import type { JsonValue } from '@minions/core/json'
import type { SkillContext, SkillLog } from '../../skills/definition/skill-context.js'
import type { TransferredError } from './transferred-error.js'

/** The methods of a context that a worker calls in the host, and waits for. */
export const REMOTE_METHODS = ['checkpoint', 'publish', 'send', 'request', 'reply', 'receive'] as const

export type RemoteMethod = (typeof REMOTE_METHODS)[number]

/** The first message of a thread: its port to the host, which its skills use one after another. */
export interface ThreadGreeting {
  readonly type: 'minions-skills-thread'
  readonly threadId: number
  readonly port: MessagePort
}

export interface WorkerTask {
  /** Distinguishes the messages of this run from those of others in the same thread. */
  readonly run: number
  /** True if the host waits for the thread and wants to know when the task has started. */
  readonly tellsBeginning: boolean
  readonly module: string
  readonly exportName: string
  readonly params: Record<string, unknown>
  readonly facts: Pick<SkillContext, 'agentId' | 'executionId' | 'attempt' | 'idempotencyKey'>
  readonly state: JsonValue | undefined
}

/** The outcome of the code. A worker that dies sends none. `spokenIn`: the thread, if it sent messages to the host. */
export type WorkerOutcome = { readonly spokenIn: number | undefined } & (
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: TransferredError }
)

/** From the worker to the host. */
export type ToHost = { readonly run: number } & (
  | { readonly type: 'log'; readonly level: keyof SkillLog; readonly message: string; readonly fields: unknown }
  | { readonly type: 'progress'; readonly fraction: number; readonly note: string | undefined }
  | { readonly type: 'call'; readonly id: number; readonly method: RemoteMethod; readonly args: readonly unknown[] }
  /** The thread has started the task. */
  | { readonly type: 'began' }
  /** It wants to know when its signal is aborted. */
  | { readonly type: 'listen' }
)

/** From the host to the worker. */
export type ToWorker = { readonly run: number } & (
  | { readonly type: 'returned'; readonly id: number; readonly value: unknown }
  | { readonly type: 'threw'; readonly id: number; readonly error: TransferredError }
  | { readonly type: 'abort'; readonly reason: TransferredError }
)
