import { withDeadline } from '../coordination/deadline.js'
import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { messageOf } from '../errors/message-of.js'
import { copyJson } from '../json/copy-json.js'
import type { ExecutionResult } from '../schemas/execution-result.js'
import { type Clock, readClock } from '../time/clock.js'
import type { Executable } from './executable.js'
import { resultFrom, type UntimedResult } from './result.js'

export interface RunOptions {
  /** Cancels the execution when aborted, whether or not the executable listens. */
  readonly signal?: AbortSignal
  /** Clock for `startedAt` and `completedAt` when the executable does not return them. Default: the system clock. */
  readonly clock?: Clock
  /** Milliseconds after which the execution fails. Default: no limit. */
  readonly timeout?: number
  /** Alias of `timeout` with the unit in its name; set only one of the two. */
  readonly timeoutMs?: number
}

/**
 * Runs an executable on a copy of the input, which must be JSON, and always resolves to a result: a throw becomes
 * `failed` with its message, an abort `cancelled`, and times that the executable leaves out are filled in.
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

async function settle(executable: Executable, input: object, options: RunOptions): Promise<UntimedResult> {
  const { signal: outer, timeoutMs = Number.POSITIVE_INFINITY, timeout = timeoutMs } = options
  const limit = new AbortController()
  try {
    if (!(timeout > 0)) throw coreError('VALIDATION_FAILED', `The timeout must be a positive number, not ${timeout}.`)
    outer?.throwIfAborted()
    const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal
    const running = executable.execute(copyJson(input, 'The input') as Record<string, unknown>, { signal })
    const expired = () => {
      limit.abort(new Error(`The execution did not end within ${timeout} ms.`))
      throw limit.signal.reason
    }
    return resultFrom(await withDeadline(Promise.resolve(running), { timeout, signal: outer, expired }))
  } catch (error) {
    const isCancelled = outer?.aborted && !limit.signal.aborted
    return { output: null, status: isCancelled ? 'cancelled' : 'failed', error: messageOf(error) }
  }
}
