import type { DoorServer } from '../door/door-server.js'
import type { ToolProvider } from '../door/features.js'
import type { CallOf } from '../door/mcp-call.js'
import { isTaskStarted } from '../tasks/task.js'
import type { TaskWire } from '../tasks/task-wire.js'
import { unknownTool } from './operation-tools.js'

/** Serves the tools of all providers; of two with the same name the first wins. */
export function handleTools(
  server: DoorServer,
  callOf: CallOf,
  providers: readonly ToolProvider[],
  tasks: TaskWire,
): void {
  server.setRequestHandler('tools/list', (_, request) => {
    const call = callOf(request)
    return { tools: providers.flatMap((each) => [...each.list(call)]) }
  })
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }, request) => {
    const call = callOf(request)
    for (const provider of providers) {
      const answer = await provider.call(name, input, call)
      if (answer === undefined) continue
      if (isTaskStarted(answer)) return (await tasks.created(answer, call)) as never
      if (answer.resultType === 'input_required') return answer
      return server.projectCallToolResult(answer as never, provider.outputSchema?.(name, call))
    }
    throw unknownTool(name)
  })
}
