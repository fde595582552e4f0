import type { ExecutionResult } from '../schemas/execution-result.js'

/** What an executable is told besides its input. */
export interface ExecutionContext {
  /** Aborted when the caller gives up or the time is over; an executable that can stop early should listen to it. */
  readonly signal: AbortSignal
}

/** Anything that can be run with `runExecutable`. */
export interface Executable {
  execute(input: Record<string, unknown>, context: ExecutionContext): Promise<ExecutionResult>
}
