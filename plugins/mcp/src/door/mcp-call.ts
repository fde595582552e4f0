import type { Minions } from '@minions/core'
import {
  type Operation,
  type OperationRunner,
  operationRunner,
  operationsOf,
  permits,
  runOperation,
} from '@minions/core/operations'
import type { Caller, Runs } from '@minions/server/plugin'
import {
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { mcpError } from '../errors.js'
import { TASKS_EXTENSION, takesTasks } from '../tasks/task.js'
import { type LongCall, runLong } from './run-long.js'
import type { Seal } from './seal.js'

/** One request of an MCP client. */
export interface McpCall {
  /** The caller, with the access that the profile allows. */
  readonly caller: Caller
  /** What the official server knows of the request: progress, cancellation, answers of the person. */
  readonly request: ServerContext
  /** What the client can do, as it declares itself. */
  readonly client: ClientCapabilities
  /** True for a request of the revision 2026-07-28 or later. */
  readonly isModern: boolean
  readonly seal: Seal
  /** Seals what `inputRequired` hands to the client; `request.mcpReq.requestState()` gives it back in the next round. */
  sealState(state: unknown): Promise<string>
  /** Operations that the caller may run. */
  operations(): readonly Operation[]
  /** The operation of this name, if the caller may run it. */
  find(operation: string): Operation | undefined
  /** True if there is such an operation and the caller may run it. */
  may(operation: string): boolean
  /** Runs an operation as the caller. Throws what `runOperation` throws. */
  readonly run: OperationRunner
  /** The same for work that continues when the request has ended. */
  readonly runDetached: OperationRunner
  /** The same for an operation that becomes a run of the server when it takes longer than `wait` milliseconds. */
  runLong(
    operation: Operation,
    input: unknown,
    options: Pick<LongCall, 'wait' | 'onProgress'>,
  ): ReturnType<typeof runLong>
  /** Throws a protocol error unless the client supports tasks. */
  requireTasks(): void
  /** The same call within a tenant. Throws `FORBIDDEN` for a caller that belongs to another one. */
  within(tenant: string): McpCall
}

export type CallOf = (request: ServerContext) => McpCall

/** Everything of a call that does not depend on the request. */
export interface CallParts {
  readonly app: Minions
  readonly runs: Runs | undefined
  readonly caller: Caller
  readonly seal: Seal
  readonly isModern: boolean
  readonly client: ClientCapabilities
  readonly sealState: (state: unknown, request: ServerContext) => Promise<string>
}

export function createCall(parts: CallParts, request: ServerContext): McpCall {
  const { app, runs, caller, seal, isModern, client, sealState } = parts
  const { signal } = request.mcpReq
  const find = (name: string) => {
    const found = operationsOf(app).get(name)?.value
    return found && permits(caller, found) ? found : undefined
  }
  return {
    caller,
    request,
    client,
    isModern,
    seal,
    sealState: (state) => sealState(state, request),
    operations: () => [...operationsOf(app).values()].flatMap(({ value }) => (permits(caller, value) ? [value] : [])),
    find,
    may: (name) => find(name) !== undefined,
    run: operationRunner(app, { ...caller, signal }),
    runDetached: operationRunner(app, caller),
    async runLong(operation, input, options) {
      if (runs) return runLong(app, runs, { operation, input, caller, signal, ...options })
      return { result: await runOperation(app, operation.name, input, { ...caller, signal, ...options }) }
    },
    requireTasks() {
      if (takesTasks({ client, isModern })) return
      const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } }
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities })
    },
    within(tenant) {
      if (caller.confined && caller.tenant !== tenant) {
        throw mcpError('FORBIDDEN', 'The caller belongs to another tenant.')
      }
      return createCall({ ...parts, caller: { ...caller, tenant } }, request)
    },
  }
}
