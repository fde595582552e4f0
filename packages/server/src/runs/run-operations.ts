import {
  asPage,
  type Operation,
  type OperationContext,
  operationsWith,
  pageInput,
  pageOf,
  property,
} from '@minions/core/operations'
import { Type } from 'typebox'
import { serverRef } from '../ref.js'
import { RUN_STATUSES, RunSchema } from './run-record.js'
import type { RunViewer } from './runs.js'

const operation = operationsWith({ server: serverRef }, { perTenant: true })
const unknown = '00000000-0000-4000-8000-000000000000'

const RunId = property.text('Id of the run.', unknown, { minLength: 1 })

const get = operation({
  name: 'runs.get',
  summary: 'Get the status of a long-running operation, and its result once it has ended',
  access: 'read',
  input: {
    id: RunId,
    wait: Type.Optional(
      property.whole('Milliseconds to wait for its end; 0 by default.', 10_000, { minimum: 0, maximum: 60_000 }),
    ),
  },
  output: RunSchema,
  examples: [{ title: 'A run that does not exist', input: { id: unknown }, fails: 'NOT_FOUND' }],
  run: ({ id, wait = 0 }, { server }, context) => server.runs.wait(id, wait, viewerOf(context), context.signal),
})

const list = operation({
  name: 'runs.list',
  summary: 'List the long-running operations of the caller, the newest first',
  access: 'read',
  input: {
    status: Type.Optional(property.choice(RUN_STATUSES, 'Only runs with this status.', 'running')),
    operation: Type.Optional(property.text('Only runs of this operation.', 'missions.run')),
    ...pageInput,
  },
  output: pageOf(RunSchema),
  examples: [{ title: 'What is running', input: { status: 'running' } }],
  run: async (filter, { server }, context) => asPage(await server.runs.list(filter, viewerOf(context))),
})

const cancel = operation({
  name: 'runs.cancel',
  summary: 'Cancel a long-running operation',
  description: 'The run ends as soon as the operation notices; runs.get shows when it has.',
  access: 'write',
  input: { id: RunId },
  output: RunSchema,
  examples: [{ title: 'A run that does not exist', input: { id: unknown }, fails: 'NOT_FOUND' }],
  run: ({ id }, { server }, context) => server.runs.cancel(id, viewerOf(context)),
})

function viewerOf({ by, tenant, grant }: OperationContext): RunViewer {
  return { by, tenant, grant }
}

export const runOperations = [get, list, cancel] as const satisfies readonly Operation[]
