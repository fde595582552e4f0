import { fromJsonSchema } from '@modelcontextprotocol/server'
import type { DoorServer } from '../door/door-server.js'
import type { CallOf } from '../door/mcp-call.js'
import type { TaskWire } from './task-wire.js'

const TaskId = { taskId: { type: 'string', maxLength: 4096 } } as const

const Named = fromJsonSchema<{ taskId: string }>({ type: 'object', properties: TaskId, required: ['taskId'] })

const Answered = fromJsonSchema<{ taskId: string; inputResponses?: Record<string, unknown> }>({
  type: 'object',
  properties: { ...TaskId, inputResponses: { type: 'object' } },
  required: ['taskId'],
})

/** Serves the methods of the tasks extension. */
export function handleTasks(server: DoorServer, callOf: CallOf, tasks: TaskWire): void {
  server.setRequestHandler('tasks/get', { params: Named }, ({ taskId }, request) => tasks.get(taskId, callOf(request)))
  server.setRequestHandler('tasks/update', { params: Answered }, ({ taskId, inputResponses }, request) =>
    tasks.update(taskId, inputResponses ?? request.mcpReq.inputResponses ?? {}, callOf(request)),
  )
  server.setRequestHandler('tasks/cancel', { params: Named }, ({ taskId }, request) =>
    tasks.cancel(taskId, callOf(request)),
  )
}
