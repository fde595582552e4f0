import type { CallToolResult, InputRequest } from '@modelcontextprotocol/server'
import { acceptedContent, inputRequired } from '@modelcontextprotocol/server'
import type { TaskKind, TaskStarted, TaskState, TaskStatus } from '../../../src/index.ts'
import { elicit, pause, result, text } from './content.ts'
import { type FixtureTool, tool } from './plain-tools.ts'

interface Job {
  status: TaskStatus
  readonly createdAt: string
  questions: Record<string, InputRequest>
  readonly answers: Record<string, unknown>
  result?: CallToolResult
  error?: TaskState['error']
  resume?: () => void
}

const jobs = new Map<string, Job>()

/** Begins a job that continues after the request. */
function begin(work: (job: Job) => Promise<CallToolResult>): TaskStarted {
  const id = crypto.randomUUID()
  const job: Job = { status: 'working', createdAt: new Date().toISOString(), questions: {}, answers: {} }
  jobs.set(id, job)
  const end = (ended: Partial<Job>) => {
    if (job.status !== 'cancelled') Object.assign(job, ended)
  }
  work(job).then(
    (value) => end({ status: 'completed', result: value }),
    (error: Error) => end({ status: 'failed', error: { code: -32603, message: error.message } }),
  )
  return { task: { kind: 'fixture', id } }
}

/** Waits until a person has answered all questions. */
async function ask(job: Job, questions: Record<string, InputRequest>): Promise<Record<string, unknown>> {
  await new Promise<void>((resolve) => {
    Object.assign(job, { questions, status: 'input_required', resume: resolve })
  })
  job.status = 'working'
  return job.answers
}

/** The tasks of the fixture, kept in memory. */
export const fixtureTasks: TaskKind = {
  kind: 'fixture',
  async get(id) {
    const job = jobs.get(id)
    if (!job) return undefined
    const { status, createdAt, result: value, error, questions } = job
    return {
      status,
      createdAt,
      lastUpdatedAt: createdAt,
      ttlMs: 600_000,
      ...(value && { result: value }),
      ...(error && { error }),
      ...(status === 'input_required' && { questions }),
    }
  },
  async answer(id, question, response) {
    const job = jobs.get(id)
    if (!job || !(question in job.questions)) return
    const { [question]: _answered, ...open } = job.questions
    job.questions = open
    job.answers[question] = response
    if (Object.keys(open).length === 0) job.resume?.()
  },
  async cancel(id) {
    const job = jobs.get(id)
    if (job?.status === 'working' || job?.status === 'input_required') job.status = 'cancelled'
  },
}

const form = (message: string) => elicit(message, { confirm: { type: 'boolean' } }, [])

/** Runs work as a task where the client takes tasks, and at once elsewhere. */
function job(work: (input: Record<string, unknown>, task: Job | undefined) => Promise<CallToolResult>): FixtureTool {
  return tool((input, { client }) =>
    client.extensions?.['io.modelcontextprotocol/tasks'] ? begin((task) => work(input, task)) : work(input, undefined),
  )
}

/** Tools whose work goes on as a task. */
export const taskTools: Readonly<Record<string, FixtureTool>> = {
  slow_compute: job(async ({ seconds = 0, label }, task) => {
    for (let left = Number(seconds) * 10; left > 0 && task?.status !== 'cancelled'; left--) await pause(100)
    return result(text(`Computed ${String(label ?? '')}`))
  }),
  failing_job: { ...job(async () => ({ ...result(text('The job failed.')), isError: true })), needsTasks: true },
  protocol_error_job: job(async () => {
    throw new Error('The job broke.')
  }),
  confirm_delete: job(async ({ filename }, task) => {
    if (task) await ask(task, { confirm: form(`Delete ${String(filename)}?`) })
    return result(text(`Deleted ${String(filename)}`))
  }),
  multi_input: job(async (_, task) => {
    if (task) await ask(task, { first: form('First?'), second: form('Second?') })
    return result(text('Both were answered.'))
  }),
  test_tool_with_task: {
    needsTasks: true,
    ...tool((_, { request }) => {
      const content = acceptedContent<{ name: string }>(request.mcpReq.inputResponses, 'user_name')
      if (content) return begin(async () => result(text(`Hello, ${content.name}!`)))
      const user_name = elicit('What is your name?', { name: { type: 'string' } })
      return inputRequired({ inputRequests: { user_name } })
    }),
  },
}
