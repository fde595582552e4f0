import { guarded } from '../errors/guard.js'
import { copyJson } from '../json/copy-json.js'
import type { ExecutionResult } from '../schemas/execution-result.js'
import { type Clock, readClock } from '../time/clock.js'
import { type Deadline, startDeadline } from './deadline.js'
import type { Executable } from './executable.js'
import { messageOf, resultFrom, type UntimedResult } from './result.js'

export interface RunOptions {
  /** Cancels the execution when aborted, whether or not the executable listens to it. */
  readonly signal?: AbortSignal
  /** Where `startedAt` and `completedAt` come from when the executable does not give them. Default: the system clock. */
  readonly clock?: Clock
  /** Milliseconds after which the execution has failed. Default: no limit. */
  readonly timeout?: number
}

/**
 * Runs an executable on a copy of the input, which must be JSON, and always resolves to a result: a throw is `failed`
 * with its message, an abort is `cancelled`, and times that the executable leaves out are filled in.
 */
export const runExecutable = guarded('runExecutable', runExecutableUnchecked)

async function runExecutableUnchecked(
  executable: Executable,
  input: Record<string, unknown> = {},
  options: RunOptions = {},
): Promise<ExecutionResult> {
  const startedAt = readClock(options.clock)
  const end = await settle(executable, input, options)
  return { ...end, startedAt: end.startedAt ?? startedAt, completedAt: end.completedAt ?? readClock(options.clock) }
}

async function settle(
  executable: Executable,
  input: Record<string, unknown>,
  options: RunOptions,
): Promise<UntimedResult> {
  let deadline: Deadline | undefined
  try {
    deadline = startDeadline(options.signal, options.timeout)
    deadline.signal.throwIfAborted()
    const running = executable.execute(copyJson(input, 'The input'), { signal: deadline.signal })
    return resultFrom(await Promise.race([running, deadline.aborted]))
  } catch (error) {
    return { output: null, status: deadline?.isCancelled() ? 'cancelled' : 'failed', error: messageOf(error) }
  } finally {
    deadline?.clear()
  }
}
