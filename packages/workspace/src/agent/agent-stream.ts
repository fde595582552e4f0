import { workspaceError } from '../errors.js'
import type { AgentReply } from './agent.js'

/** The pieces of a reply as they arrive. `reply` settles when they have been read to the end, or reading stopped. */
export interface AgentStream extends AsyncGenerator<string, void> {
  readonly reply: Promise<AgentReply>
}

export function agentStream(turn: AsyncGenerator<string, AgentReply>): AgentStream {
  let settle: { resolve: (reply: AgentReply) => void; reject: (error: unknown) => void } | undefined
  const reply = new Promise<AgentReply>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // The reader of the pieces sees the error there; `reply` may go unused.
  reply.catch(() => undefined)
  async function* pieces(): AsyncGenerator<string, void> {
    try {
      settle?.resolve(yield* turn)
    } catch (error) {
      settle?.reject(error)
      throw error
    } finally {
      settle?.reject(workspaceError('ABORTED', 'The reply was not read to the end.'))
    }
  }
  return Object.assign(pieces(), { reply })
}
