import type { Operation } from '@minions/core/operations'
import { inputRequired } from '@modelcontextprotocol/server'
import type { McpCall } from '../door/mcp-call.js'
import { type MissionTasks, resultOf } from '../tasks/mission-tasks.js'
import { decide, type MissionReference, openQuestions } from '../tasks/questions.js'
import { takesTasks } from '../tasks/task.js'
import type { Ran, RunTool } from './operation-tools.js'
import { progressTo } from './progress.js'

/** Milliseconds after which an operation that writes becomes a task, for clients that support tasks. */
const TASK_AFTER = 10_000

/** Runs operations for tools. Missions are tasks for clients that take them, and wait for the person behind the client. */
export function toolRunner(missions: MissionTasks): RunTool {
  return (operation, input, call) => {
    if (operation.name === 'missions.run' || operation.name === 'missions.resume') {
      return takesTasks(call) ? startMission(missions, operation, input, call) : runMission(operation, input, call)
    }
    return runOther(operation, input, call)
  }
}

async function startMission(missions: MissionTasks, { name }: Operation, input: unknown, call: McpCall): Promise<Ran> {
  const id = name === 'missions.run' ? await missions.start(input, call) : await missions.resume(input, call)
  return { answer: { task: { kind: missions.kind, id } } }
}

/** Runs a mission to its end, then asks the person about its proposals, in as many rounds as that takes. */
async function runMission({ name }: Operation, input: unknown, call: McpCall): Promise<Ran> {
  const earlier = call.request.mcpReq.requestState<MissionReference>()
  if (earlier) await takeAnswers(earlier, call)
  const result = earlier ? await resultOf(earlier, call) : await call.run(name, input, { onProgress: progressTo(call) })
  const { tenant_id, mission_id } = result as { readonly tenant_id: string; readonly mission_id: string }
  const of: MissionReference = { tenant: tenant_id, mission: mission_id }
  const inputRequests = await openQuestions(of, call)
  if (Object.keys(inputRequests).length === 0) return { result }
  return { answer: inputRequired({ inputRequests, requestState: await call.sealState(of) }) }
}

async function takeAnswers(of: MissionReference, call: McpCall): Promise<void> {
  for (const [question, response] of Object.entries(call.request.mcpReq.inputResponses ?? {})) {
    await decide(of, question, response, call)
  }
}

async function runOther(operation: Operation, input: unknown, call: McpCall): Promise<Ran> {
  const onProgress = progressTo(call)
  const mayBeTask = takesTasks(call) && operation.access !== 'read' && !operation.secret && call.may('runs.get')
  if (!mayBeTask) return { result: await call.run(operation.name, input, { onProgress }) }
  const ran = await call.runLong(operation, input, { onProgress, wait: TASK_AFTER })
  return 'run' in ran ? { answer: { task: { kind: 'run', id: ran.run } } } : ran
}
