import { type JSONRPCRequest, type Result, Server, type ServerContext } from '@modelcontextprotocol/server'

type Handle = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/** The official server, which checks every result of a tool, and so must be told that a task is one too. */
export class DoorServer extends Server {
  /** Resources that a client of the older revision wants to hear of. */
  readonly subscribed = new Set<string>()

  protected override _wrapHandler(method: string, handle: Handle): Handle {
    if (method !== 'tools/call') return super._wrapHandler(method, handle)
    return async (request, context) => {
      let created: Result | undefined
      const checked = super._wrapHandler(method, async (...call) => {
        const result = await handle(...call)
        if (result.resultType !== 'task') return result
        created = result
        return { content: [] }
      })
      const result = await checked(request, context)
      return created ?? result
    }
  }
}
