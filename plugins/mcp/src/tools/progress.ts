import type { Progress } from '@minions/core/operations'
import type { McpCall } from '../door/mcp-call.js'

/** Reports the progress of an operation to the client, if requested. Progress must only increase. */
export function progressTo({ request: { mcpReq } }: McpCall): ((progress: Progress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let last = -1
  return ({ done, total, message }) => {
    if (done <= last) return
    last = done
    const params = { progressToken, progress: done, ...(total !== undefined && { total }), ...(message && { message }) }
    // A disconnected client is noticed by its request.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
