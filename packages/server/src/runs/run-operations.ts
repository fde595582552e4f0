import {
  asPage,
  defineOperation,
  type Operation,
  type OperationContext,
  pageInput,
  pageOf,
} from '@minions/core/operations'
import { Type } from 'typebox'
import { serverRef } from '../ref.js'
import { RUN_STATUSES, RunSchema } from './run-record.js'
import type { RunViewer } from './runs.js'

const deps = { server: serverRef }
const closed = { additionalProperties: false } as const
const unknown = '00000000-0000-4000-8000-000000000000'

const RunId = Type.String({ minLength: 1, description: 'Id of the run.', examples: [unknown] })

const get = defineOperation({
  name: 'runs.get',
  summary: 'Get the status of a long-running operation, and its result once it has ended',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      id: RunId,
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 60_000,
          description: 'Milliseconds to wait for its end; 0 by default.',
          examples: [10_000],
        }),
      ),
    },
    closed,
  ),
  output: RunSchema,
  examples: [{ title: 'A run that does not exist', input: { id: unknown }, fails: 'NOT_FOUND' }],
  deps,
  run: ({ id, wait = 0 }, { server }, context) => server.runs.wait(id, wait, viewerOf(context), context.signal),
})

const list = defineOperation({
  name: 'runs.list',
  summary: 'List the long-running operations of the caller, the newest first',
  access: 'read',
  perTenant: true,
  input: Type.Object(
    {
      status: Type.Optional(
        Type.Enum(RUN_STATUSES, { description: 'Only runs with this status.', examples: ['running'] }),
      ),
      operation: Type.Optional(
        Type.String({ description: 'Only runs of this operation.', examples: ['missions.run'] }),
      ),
      ...pageInput,
    },
    closed,
  ),
  output: pageOf(RunSchema),
  examples: [{ title: 'What is running', input: { status: 'running' } }],
  deps,
  run: async (filter, { server }, context) => asPage(await server.runs.list(filter, viewerOf(context))),
})

const cancel = defineOperation({
  name: 'runs.cancel',
  summary: 'Cancel a long-running operation',
  description: 'The run ends as soon as the operation notices; runs.get shows when it has.',
  access: 'write',
  perTenant: true,
  input: Type.Object({ id: RunId }, closed),
  output: RunSchema,
  examples: [{ title: 'A run that does not exist', input: { id: unknown }, fails: 'NOT_FOUND' }],
  deps,
  run: ({ id }, { server }, context) => server.runs.cancel(id, viewerOf(context)),
})

function viewerOf({ by, tenant, grant }: OperationContext): RunViewer {
  return { by, tenant, grant }
}

/** Operations on runs. */
export const runOperations = [get, list, cancel] as const satisfies readonly Operation[]
