import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { DoorServer } from '../door/door-server.js'
import type { PromptProvider } from '../door/features.js'
import type { CallOf } from '../door/mcp-call.js'
import { joinedPage } from '../door/pages.js'
import { refused } from '../door/refused.js'

/** Serves the prompts of all providers. */
export function handlePrompts(server: DoorServer, callOf: CallOf, providers: readonly PromptProvider[]): void {
  server.setRequestHandler('prompts/list', async ({ params }, request) => {
    const { items: prompts, ...next } = await joinedPage(providers, params?.cursor, callOf(request))
    return { prompts, ...next }
  })
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: input = {} } }, request) => {
    const call = callOf(request)
    for (const provider of providers) {
      const found = await refused(() => provider.get(name, input, call))
      if (found !== undefined) return found
    }
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${name.slice(0, 200)}"`)
  })
}
