import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server'
import type { McpCall } from '../door/mcp-call.js'

/** Name of the extension by which clients declare support for tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

export const TASK_STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const

export type TaskStatus = (typeof TASK_STATUSES)[number]

/** Answer of a tool whose work continues as a task. */
export interface TaskStarted {
  readonly task: { readonly kind: string; readonly id: string }
}

/** The status of a task. */
export interface TaskState {
  readonly status: TaskStatus
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** Milliseconds that the task is kept, from its creation; null for as long as the store. */
  readonly ttlMs: number | null
  /** The result of the tool, once the task is `completed`. */
  readonly result?: CallToolResult
  /** What went wrong, once the task has `failed`. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
  /** Questions to a person, by name, while the task is `input_required`. */
  readonly questions?: Readonly<Record<string, InputRequest>>
}

/** Tasks of one kind. Its state must outlive the process: a task is polled again after any restart. */
export interface TaskKind {
  readonly kind: string
  /** The status of a task; undefined for one that does not exist, or not for this caller. */
  get(id: string, call: McpCall): Promise<TaskState | undefined>
  /** Takes the answer to a question. Of several answers to one question the first wins; the others throw. */
  answer?(id: string, question: string, response: unknown, call: McpCall): Promise<void>
  /** Cancels the task; does nothing for one that has ended. */
  cancel(id: string, call: McpCall): Promise<void>
}

export function isTaskStarted(answer: object): answer is TaskStarted {
  return 'task' in answer && !('content' in answer) && !('resultType' in answer)
}

/** True for a client that supports tasks. */
export function takesTasks({ client, isModern }: Pick<McpCall, 'client' | 'isModern'>): boolean {
  return isModern && client.extensions?.[TASKS_EXTENSION] !== undefined
}
