import { defineRoutes, type MountedRoutes } from '@minions/server/plugin'
import { mcpRef } from '../ref.js'

/** `/mcp` in the handler of the server, behind its checks of host, origin, key and rate. */
export const mcpRoutes: MountedRoutes = defineRoutes({
  path: '/mcp',
  deps: { mcp: mcpRef },
  async handle(request, { mcp }, { caller }) {
    if (!caller) return new Response(null, { status: 401 })
    return (await mcp.http()).answer(request, caller)
  },
})
