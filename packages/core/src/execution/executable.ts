import type { ExecutionResult } from '../schemas/execution-result.js'

/** The context of an execution, besides its input. */
export interface ExecutionContext {
  /** Aborted when the caller gives up or the timeout expires; an executable that can stop early should listen to it. */
  readonly signal: AbortSignal
}

/** Anything that can be run with `runExecutable`. */
export interface Executable {
  execute(input: Record<string, unknown>, context: ExecutionContext): Promise<ExecutionResult>
}
