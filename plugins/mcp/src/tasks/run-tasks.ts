import type { JsonValue } from '@minions/core/json'
import { operationRef } from '@minions/core/operations'
import { INTERNAL_ERROR } from '@modelcontextprotocol/server'
import { type Static, Type } from 'typebox'
import type { McpCall } from '../door/mcp-call.js'
import { toolResult } from '../tools/tool-result.js'
import type { TaskKind, TaskState } from './task.js'

/** The status of a long-running operation, from `runs.get`. */
const Run = Type.Object({
  status: Type.Enum(['running', 'succeeded', 'failed', 'cancelled']),
  createdAt: Type.String(),
  endedAt: Type.Optional(Type.String()),
  progress: Type.Optional(Type.Object({ message: Type.Optional(Type.String()) })),
  result: Type.Optional(Type.Unsafe<JsonValue>({})),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})

const getRun = operationRef('runs.get', Run)

/** Milliseconds that the server keeps runs after their end. */
const WEEK = 7 * 24 * 60 * 60 * 1000

/** Long-running operations as tasks: the runs of the server. */
export const runTasks: TaskKind = {
  kind: 'run',
  async get(id, call) {
    return stateOf(await call.run(getRun, { id }))
  },
  async cancel(id, call: McpCall) {
    const { status } = await call.run(getRun, { id })
    if (status === 'running') await call.runDetached('runs.cancel', { id })
  },
}

function stateOf({ status, createdAt, endedAt, progress, result, error }: Static<typeof Run>): TaskState {
  const common = {
    createdAt,
    lastUpdatedAt: endedAt ?? createdAt,
    ttlMs: WEEK,
    ...(progress?.message !== undefined && { statusMessage: progress.message }),
  }
  if (status === 'running') return { ...common, status: 'working' }
  if (status === 'cancelled') return { ...common, status: 'cancelled' }
  if (status === 'succeeded') return { ...common, status: 'completed', result: toolResult(result ?? null) }
  const { code = 'INTERNAL', message = 'An internal error occurred.' } = error ?? {}
  // A refusal of the operation is an answer of the tool; the end of its process is not.
  if (code === 'RUN_INTERRUPTED' || code === 'INTERNAL') {
    return { ...common, status: 'failed', error: { code: INTERNAL_ERROR, message, data: { code } } }
  }
  return {
    ...common,
    status: 'completed',
    result: { content: [{ type: 'text', text: `${code}: ${message}` }], isError: true },
  }
}
