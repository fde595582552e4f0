import type { MessagePort } from 'node:worker_threads'
import type { JsonValue } from '@minions/core'
import type { SkillContext, SkillLog } from '../skill/skill-context.js'
import type { TransferredError } from './transferred-error.js'

/** The methods of a context that a worker calls in the host, and waits for. */
export const REMOTE_METHODS = [
  'checkpoint',
  'publish',
  'send',
  'request',
  'reply',
  'receive',
] as const satisfies (keyof SkillContext)[]

export type RemoteMethod = (typeof REMOTE_METHODS)[number]

/** What a worker is asked to run. */
export interface WorkerTask {
  readonly module: string
  readonly exportName: string
  readonly params: Record<string, unknown>
  readonly facts: Pick<SkillContext, 'agentId' | 'executionId' | 'attempt' | 'idempotencyKey'>
  readonly state: JsonValue | undefined
  /** The way to the context. */
  readonly port: MessagePort
}

/** How the code ended. A worker that dies answers nothing. */
export type WorkerOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: TransferredError }

/** From the worker to the host. */
export type ToHost =
  | { readonly type: 'log'; readonly level: keyof SkillLog; readonly message: string; readonly fields: unknown }
  | { readonly type: 'progress'; readonly fraction: number; readonly note: string | undefined }
  | { readonly type: 'call'; readonly id: number; readonly method: RemoteMethod; readonly args: readonly unknown[] }

/** From the host to the worker. */
export type ToWorker =
  | { readonly type: 'returned'; readonly id: number; readonly value: unknown }
  | { readonly type: 'threw'; readonly id: number; readonly error: TransferredError }
  | { readonly type: 'abort'; readonly reason: TransferredError }
